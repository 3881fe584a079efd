/* SPDX-License-Identifier: Apache-2.0 */
/** The annotation that makes a method a listener. */
@NullMarked
package io.github.batchsqs.annotation;

import org.jspecify.annotations.NullMarked;
