/* SPDX-License-Identifier: Apache-2.0 */
/** What happens, told to whoever wants to count it. */
@NullMarked
package io.github.batchsqs.events;

import org.jspecify.annotations.NullMarked;
