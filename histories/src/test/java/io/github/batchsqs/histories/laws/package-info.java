/* SPDX-License-Identifier: Apache-2.0 */
/** What holds in every history. */
@NullMarked
package io.github.batchsqs.histories.laws;

import org.jspecify.annotations.NullMarked;
