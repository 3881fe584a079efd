/* SPDX-License-Identifier: Apache-2.0 */
/** The calls to SQS, free of the AWS SDK: another client can take the place of the SDK's. */
@NullMarked
package io.github.batchsqs.internal.client;

import org.jspecify.annotations.NullMarked;
