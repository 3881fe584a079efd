/* SPDX-License-Identifier: Apache-2.0 */
/** What happens to the messages of listeners, and who wants to know. */
@NullMarked
package io.github.batchsqs.events;

import org.jspecify.annotations.NullMarked;
