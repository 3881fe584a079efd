/* SPDX-License-Identifier: Apache-2.0 */
/** What the tests of this module share. */
@NullMarked
package io.github.batchsqs.autoconfigure.testkit;

import org.jspecify.annotations.NullMarked;
