/* SPDX-License-Identifier: Apache-2.0 */
/** The calls by the AWS SDK's client, and the failures and results that direct calls share with it. Not API. */
@NullMarked
package io.github.batchsqs.internal.sdk;

import org.jspecify.annotations.NullMarked;
