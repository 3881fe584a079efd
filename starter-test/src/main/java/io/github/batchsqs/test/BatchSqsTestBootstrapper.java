/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.test;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;

/** Finds the application's configuration as the other test slices do. */
final class BatchSqsTestBootstrapper extends TestSliceTestContextBootstrapper<BatchSqsTest> {}
