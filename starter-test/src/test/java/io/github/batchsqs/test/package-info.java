/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package io.github.batchsqs.test;

import org.jspecify.annotations.NullMarked;
