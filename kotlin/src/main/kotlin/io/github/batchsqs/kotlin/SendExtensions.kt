/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.kotlin

import io.github.batchsqs.send.BatchSqsOperations
import io.github.batchsqs.send.OutgoingMessage
import io.github.batchsqs.send.SendFailedException
import io.github.batchsqs.send.SendResult
import io.github.batchsqs.send.SendResults
import java.util.concurrent.CompletableFuture
import kotlinx.coroutines.future.await

/**
 * Sends a payload as a message that the block completes: its group, its delay, its attributes.
 *
 * ```
 * sqs.send("orders.fifo", order) { groupId(order.customer) }
 * ```
 *
 * With an explicit type, `send<Order>(…)`, the compiler refuses other payloads.
 *
 * @see BatchSqsOperations.send
 */
public inline fun <reified T : Any> BatchSqsOperations.send(
    queue: String,
    payload: T,
    message: OutgoingMessage.Builder.() -> Unit,
): CompletableFuture<SendResult> = send(OutgoingMessage.builder(queue, payload).apply(message).build())

/**
 * Sends payloads in full batches, each as a message that the block completes, and waits for all responses.
 *
 * ```
 * sqs.sendAll("orders.fifo", orders) { order -> groupId(order.customer) }
 * ```
 *
 * Blocks the thread, which may be that of a listener's invocation.
 *
 * @see BatchSqsOperations.sendAll
 */
public inline fun <reified T : Any> BatchSqsOperations.sendAll(
    queue: String,
    payloads: Iterable<T>,
    message: OutgoingMessage.Builder.(T) -> Unit,
): SendResults = sendAll(payloads.map { payload -> OutgoingMessage.builder(queue, payload).apply { message(payload) }.build() })

/**
 * Sends a payload and suspends until SQS has responded.
 *
 * A cancellation ends the wait and does not cancel the send.
 *
 * @throws SendFailedException if SQS did not accept the message, or no response confirms it
 * @throws IllegalStateException in a transaction after whose commit the message would be sent; nothing is sent then
 * @see BatchSqsOperations.send
 */
public suspend fun BatchSqsOperations.sendAndAwait(queue: String, payload: Any): SendResult =
    sendAndAwait(OutgoingMessage.of(queue, payload))

/**
 * Sends a message and suspends until SQS has responded.
 *
 * A cancellation ends the wait and does not cancel the send.
 *
 * @throws SendFailedException if SQS did not accept the message, or no response confirms it
 * @throws IllegalStateException in a transaction after whose commit the message would be sent; nothing is sent then
 * @see BatchSqsOperations.send
 */
public suspend fun BatchSqsOperations.sendAndAwait(message: OutgoingMessage): SendResult {
    check(!sendsAfterCommit()) {
        "sendAndAwait waits for SQS's response, but messages of this thread are sent only when its transaction has" +
            " committed; use send, or call sendAndAwait outside of the transaction"
    }
    return send(message).await()
}
