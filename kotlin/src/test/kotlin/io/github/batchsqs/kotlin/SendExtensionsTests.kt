/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.kotlin

import io.github.batchsqs.SqsMessage
import io.github.batchsqs.annotation.BatchSqsListener
import io.github.batchsqs.send.BatchSqsOperations
import io.github.batchsqs.send.OutgoingMessage
import io.github.batchsqs.send.SendFailedException
import io.github.batchsqs.send.SendResult
import io.github.batchsqs.testkit.Progress
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CopyOnWriteArrayList
import java.util.function.Supplier
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import org.springframework.beans.factory.getBean

/** The functions that send, on the embedded server. */
class SendExtensionsTests {

    private val handler = Handler()
    private val contexts = Contexts.embedded()
        .withBean(Handler::class.java, Supplier { handler })
        .withPropertyValues("batchsqs.embedded.queues=orders,orders.fifo")

    @Test
    fun theBlockCompletesEachMessage() {
        run { sqs ->
            val sent = Progress.get(sqs.send<Order>("orders.fifo", Order(1)) { groupId("a") })
            val all = sqs.sendAll("orders.fifo", listOf(Order(2), Order(3))) { order ->
                groupId("group-${order.number}").attribute("tenant", "acme")
            }
            Progress.until({ handler.seen.size }, 3)

            assertThat(sent.messageId()).isNotEmpty()
            assertThat(all.successful()).hasSize(2)
            assertThat(handler.seen).containsExactlyInAnyOrder("1 a null", "2 group-2 acme", "3 group-3 acme")
        }
    }

    @Test
    fun aCoroutineAwaitsTheResponseToItsMessage() {
        run { sqs ->
            runBlocking {
                assertThat(sqs.sendAndAwait("orders", Order(1)).messageId()).isNotEmpty()
                assertThat(sqs.sendAndAwait(OutgoingMessage.of("orders", Order(2))).messageId()).isNotEmpty()
                assertThrows<SendFailedException> { sqs.sendAndAwait("orders.fifo", Order(3)) } // without a group
            }
            Progress.until({ handler.seen.size }, 2)
            assertThat(handler.seen).containsExactlyInAnyOrder("1 null null", "2 null null")
        }
    }

    @Test
    fun aWaitThatWouldNeverEndIsRefusedAndNothingIsSent() {
        run { sqs ->
            val bound = object : BatchSqsOperations by sqs {
                override fun sendsAfterCommit() = true

                override fun send(message: OutgoingMessage): CompletableFuture<SendResult> =
                    throw AssertionError("nothing is sent")
            }
            runBlocking {
                val refused = assertThrows<IllegalStateException> { bound.sendAndAwait("orders", Order(1)) }
                assertThat(refused).hasMessageContaining("sendAndAwait waits for SQS's response")
                    .hasMessageContaining("use send, or call sendAndAwait outside of the transaction")
            }
        }
    }

    private fun run(test: (BatchSqsOperations) -> Unit) {
        contexts.run { context -> test(context.getBean<BatchSqsOperations>()) }
    }

    data class Order(val number: Int)

    class Handler {
        val seen = CopyOnWriteArrayList<String>()

        @BatchSqsListener(queue = ["orders", "orders.fifo"])
        suspend fun handle(orders: List<SqsMessage<Order>>) {
            seen += orders.map { "${it.payload().number} ${it.groupId()} ${it.attributes()["tenant"]?.stringValue()}" }
        }
    }
}
