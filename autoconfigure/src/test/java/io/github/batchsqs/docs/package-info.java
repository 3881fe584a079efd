/* SPDX-License-Identifier: Apache-2.0 */
/** Whether the pages in {@code docs} are true. */
@NullMarked
package io.github.batchsqs.docs;

import org.jspecify.annotations.NullMarked;
