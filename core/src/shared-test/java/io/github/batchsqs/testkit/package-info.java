/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What the tests stand on. This folder is compiled into the tests of each module that waits for progress; the tests of core add
 * time that can be set, SQS in memory with faults on demand, and a real server.
 */
@NullMarked
package io.github.batchsqs.testkit;

import org.jspecify.annotations.NullMarked;
