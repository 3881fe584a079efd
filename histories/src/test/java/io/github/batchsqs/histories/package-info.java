/* SPDX-License-Identifier: Apache-2.0 */
/** The whole library in virtual time: seeds decide what happens, laws decide whether that was right. */
@NullMarked
package io.github.batchsqs.histories;

import org.jspecify.annotations.NullMarked;
