/* SPDX-License-Identifier: Apache-2.0 */
/** Payloads in S3, in the format of AWS's extended client library. */
@NullMarked
package io.github.batchsqs.s3;

import org.jspecify.annotations.NullMarked;
