/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.kotlin

import io.github.batchsqs.send.BatchSqsOperations
import io.github.batchsqs.testkit.Progress
import java.time.Duration
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.getBean

/** The functions that receive, on the embedded server. */
class ReceiveExtensionsTests {

    private val contexts = Contexts.embedded().withPropertyValues("batchsqs.embedded.queues=orders,empty")

    @Test
    fun payloadsHaveTheType() {
        run { sqs ->
            sqs.sendAll("orders", listOf(Order(1), Order(2)))
            val one = sqs.receive<Order>("orders") { maxMessages(1) }
            val other = sqs.receive<Order>("orders")

            assertThat(one.payloads() + other.payloads()).containsExactlyInAnyOrder(Order(1), Order(2))
            Progress.get(one.acknowledge())
            Progress.get(other.acknowledge())
            assertThat(sqs.receive<Order>("orders") { waitTime(Duration.ZERO) }).isEmpty()
        }
    }

    @Test
    fun genericTypesKeepTheirArguments() {
        run { sqs ->
            sqs.sendAndWait("orders", mapOf("first" to listOf(Order(1))))
            val one = sqs.receiveOne<Map<String, List<Order>>>("orders")
            assertThat(one!!.payload()).isEqualTo(mapOf("first" to listOf(Order(1))))
        }
    }

    @Test
    fun noMessageIsNull() {
        run { sqs -> assertThat(sqs.receiveOne<Order>("empty") { waitTime(Duration.ZERO) }).isNull() }
    }

    private fun run(test: (BatchSqsOperations) -> Unit) {
        contexts.run { context -> test(context.getBean<BatchSqsOperations>()) }
    }

    data class Order(val number: Int)
}
