/* SPDX-License-Identifier: Apache-2.0 */
/** The buttons of the live page. */
@NullMarked
package io.github.batchsqs.sample.controls;

import org.jspecify.annotations.NullMarked;
