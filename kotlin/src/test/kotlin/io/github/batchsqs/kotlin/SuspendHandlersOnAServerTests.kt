/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.kotlin

import io.github.batchsqs.BatchOutcome
import io.github.batchsqs.SqsMessage
import io.github.batchsqs.annotation.BatchSqsListener
import io.github.batchsqs.send.BatchSqsOperations
import io.github.batchsqs.test.TestQueues
import io.github.batchsqs.testkit.Progress
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.atomic.AtomicInteger
import java.util.function.Supplier
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.withContext
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.getBean
import org.springframework.boot.test.context.FilteredClassLoader
import org.springframework.context.ApplicationContext
import org.springframework.messaging.handler.annotation.Header

/** Suspend functions with messages that went through a real server: the embedded one. */
class SuspendHandlersOnAServerTests {

    private val contexts = Contexts.embedded()

    @Test
    fun aBatchAndSingleMessagesOfDataClassesAreHandled() {
        val handler = Orders()
        contexts.withBean(Orders::class.java, Supplier { handler })
            .withPropertyValues("batchsqs.embedded.queues=batch,messages,single")
            .run { context ->
                val sqs = context.getBean<BatchSqsOperations>()
                val orders = listOf(Order(1), Order(2, customer = "acme"))
                for (queue in listOf("batch", "messages")) {
                    sqs.sendAll(queue, orders)
                }
                sqs.sendAll("single", orders) { order -> attribute("tenant", "tenant ${order.number}") }
                sqs.sendAndWait("batch", """{"number":7}""")
                Progress.until({ handler.seen.size }, 7)

                assertThat(handler.seen).containsExactlyInAnyOrder(
                    "batch Order(number=1, customer=null, note=none)",
                    "batch Order(number=2, customer=acme, note=none)",
                    "batch Order(number=7, customer=null, note=none)",
                    "message Order(number=1, customer=null, note=none)",
                    "message Order(number=2, customer=acme, note=none)",
                    "single Order(number=1, customer=null, note=none) of tenant 1",
                    "single Order(number=2, customer=acme, note=none) of tenant 2",
                )
                for (queue in listOf("batch", "messages", "single")) {
                    awaitEmpty(context, queue)
                }
            }
    }

    @Test
    fun aThousandHandlersAreSuspendedAtOnce() {
        val handler = Gated()
        contexts.withBean(Gated::class.java, Supplier { handler })
            .withPropertyValues("batchsqs.embedded.queues=orders", "batchsqs.listener.concurrency=1000")
            .run { context ->
                context.getBean<BatchSqsOperations>().sendAll("orders", List(1_000) { "order $it" })
                Progress.until({ handler.inside.get() }, 1_000)
                handler.gate.complete(Unit)
                awaitEmpty(context, "orders")
            }
    }

    @Test
    fun aMissingLibraryForCoroutinesEndsTheStart() {
        contexts.withBean(Gated::class.java, Supplier { Gated() })
            .withClassLoader(FilteredClassLoader("kotlinx.coroutines"))
            .run { context ->
                assertThat(context).hasFailed()
                assertThat(context.startupFailure)
                    .hasStackTraceContaining(
                        "Gated.handle cannot be a listener: it is a suspend function of Kotlin, and kotlinx-coroutines is not on" +
                            " the class path. Add the dependency io.github.batchsqs:batchsqs-spring-boot-kotlin",
                    )
            }
    }

    private fun awaitEmpty(context: ApplicationContext, queue: String) {
        val queues = context.getBean<TestQueues>()
        Progress.until({ queues.size(queue) }, 0)
    }

    data class Order(val number: Int, val customer: String? = null, val note: String = "none")

    class Orders {
        val seen = CopyOnWriteArrayList<String>()

        @BatchSqsListener(queue = ["batch"])
        suspend fun batch(orders: List<Order>) {
            delay(1)
            seen += orders.map { "batch $it" }
        }

        @BatchSqsListener(queue = ["messages"])
        suspend fun messages(orders: List<SqsMessage<Order>>): BatchOutcome {
            withContext(Dispatchers.IO) { seen += orders.map { "message ${it.payload()}" } }
            return BatchOutcome.done()
        }

        @BatchSqsListener(queue = ["single"])
        suspend fun single(order: Order, @Header tenant: String) {
            delay(1)
            seen += "single $order of $tenant"
        }
    }

    class Gated {
        val inside = AtomicInteger()
        val gate = CompletableDeferred<Unit>()

        @BatchSqsListener(queue = ["orders"])
        suspend fun handle(order: String) {
            inside.incrementAndGet()
            gate.await()
        }
    }
}
