/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.kotlin

import io.github.batchsqs.pull.PulledMessage
import io.github.batchsqs.pull.PulledMessages
import io.github.batchsqs.pull.ReceiveRequest
import io.github.batchsqs.send.BatchSqsOperations
import java.lang.reflect.Type
import org.springframework.core.ParameterizedTypeReference

/**
 * Receives up to ten messages with payloads of type [T], which may be generic.
 *
 * ```
 * val orders = sqs.receive<Order>("orders") { maxMessages(5) }
 * ```
 *
 * Blocks the thread, which may be that of a listener's invocation. Nothing is deleted unless it is acknowledged.
 *
 * @see BatchSqsOperations.receive
 */
public inline fun <reified T : Any> BatchSqsOperations.receive(
    queue: String,
    request: ReceiveRequest<T>.() -> ReceiveRequest<T> = { this },
): PulledMessages<T> = receive(ReceiveRequest.of<T>(queue, payloadType<T>()).request())

/**
 * Receives one message with a payload of type [T], or returns `null` if none has arrived in time; see [receive].
 *
 * @see BatchSqsOperations.receiveOne
 */
public inline fun <reified T : Any> BatchSqsOperations.receiveOne(
    queue: String,
    request: ReceiveRequest<T>.() -> ReceiveRequest<T> = { this },
): PulledMessage<T>? = receiveOne(ReceiveRequest.of<T>(queue, payloadType<T>()).request()).orElse(null)

@PublishedApi
internal inline fun <reified T : Any> payloadType(): Type = object : ParameterizedTypeReference<T>() {}.type
