/* SPDX-License-Identifier: Apache-2.0 */
/** Calls that write and read the JSON themselves, and take credentials, retries and the HTTP client from the AWS SDK. */
@NullMarked
package io.github.batchsqs.internal.direct;

import org.jspecify.annotations.NullMarked;
