/* SPDX-License-Identifier: Apache-2.0 */
/** The messages in flight: each delivery, its claim and lease, the in-flight limit and the release of its group. The stages share it. */
@NullMarked
package io.github.batchsqs.internal.receive.delivery;

import org.jspecify.annotations.NullMarked;
