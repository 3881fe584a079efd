/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.sqs;

/**
 * One message of a receive, as it was then.
 *
 * @param message what does not change, and what it became since
 * @param receiptHandle of this receive
 * @param receiveCount how often it was received, this time included
 */
public record Received<P extends Payload>(Stored<P> message, String receiptHandle, int receiveCount) {}
