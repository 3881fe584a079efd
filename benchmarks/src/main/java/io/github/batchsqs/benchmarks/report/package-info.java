/* SPDX-License-Identifier: Apache-2.0 */
/** Rows in order, progress, results as JSON, Markdown and SVG. */
@NullMarked
package io.github.batchsqs.benchmarks.report;

import org.jspecify.annotations.NullMarked;
