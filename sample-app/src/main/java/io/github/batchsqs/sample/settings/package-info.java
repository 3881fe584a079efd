/* SPDX-License-Identifier: Apache-2.0 */
/** The settings of the sample. */
@NullMarked
package io.github.batchsqs.sample.settings;

import org.jspecify.annotations.NullMarked;
