/* SPDX-License-Identifier: Apache-2.0 */
/** Applications that are killed, and a database that is restarted: each order is processed once. */
@NullMarked
package io.github.batchsqs.jdbc.reliability;

import org.jspecify.annotations.NullMarked;
