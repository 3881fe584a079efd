/* SPDX-License-Identifier: Apache-2.0 */
/** The seam to SQS, and the only package that imports the AWS SDK. */
@NullMarked
package io.github.batchsqs.client;

import org.jspecify.annotations.NullMarked;
