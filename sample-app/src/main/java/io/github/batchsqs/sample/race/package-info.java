/* SPDX-License-Identifier: Apache-2.0 */
/** The same messages through Spring Cloud AWS's listener and through this library's, one after the other. */
@NullMarked
package io.github.batchsqs.sample.race;

import org.jspecify.annotations.NullMarked;
