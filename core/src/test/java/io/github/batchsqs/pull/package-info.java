/* SPDX-License-Identifier: Apache-2.0 */
/** Tests of the requests of one-off receives. */
@NullMarked
package io.github.batchsqs.pull;

import org.jspecify.annotations.NullMarked;
