/* SPDX-License-Identifier: Apache-2.0 */
/** Calls through the request pipeline of the AWS SDK. */
@NullMarked
package io.github.batchsqs.client.sdk;

import org.jspecify.annotations.NullMarked;
