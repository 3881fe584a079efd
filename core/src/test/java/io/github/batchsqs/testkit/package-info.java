/* SPDX-License-Identifier: Apache-2.0 */
/** What the tests of the engine stand on: time that can be set, SQS in memory with faults on demand, and a real server. */
@NullMarked
package io.github.batchsqs.testkit;

import org.jspecify.annotations.NullMarked;
