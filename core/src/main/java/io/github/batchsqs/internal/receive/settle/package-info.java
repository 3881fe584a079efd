/* SPDX-License-Identifier: Apache-2.0 */
/** Last stage: deletes, visibility changes and dead letters, in batches; leases are kept until then. */
@NullMarked
package io.github.batchsqs.internal.receive.settle;

import org.jspecify.annotations.NullMarked;
