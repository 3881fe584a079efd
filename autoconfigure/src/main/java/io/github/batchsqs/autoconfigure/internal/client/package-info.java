/* SPDX-License-Identifier: Apache-2.0 */
/** The client to SQS, built through Spring Cloud AWS. */
@NullMarked
package io.github.batchsqs.autoconfigure.internal.client;

import org.jspecify.annotations.NullMarked;
