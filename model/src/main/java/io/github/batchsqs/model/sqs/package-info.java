/* SPDX-License-Identifier: Apache-2.0 */
/** The model of SQS: a pure class, to which the time is a parameter. */
@NullMarked
package io.github.batchsqs.model.sqs;

import org.jspecify.annotations.NullMarked;
