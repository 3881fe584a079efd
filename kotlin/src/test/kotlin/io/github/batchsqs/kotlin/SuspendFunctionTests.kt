/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.kotlin

import io.github.batchsqs.Acknowledgement
import io.github.batchsqs.BatchListener
import io.github.batchsqs.BatchOutcome
import io.github.batchsqs.MessageBatch
import io.github.batchsqs.SqsMessage
import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException
import io.github.batchsqs.autoconfigure.internal.signature.Handlers
import io.github.batchsqs.autoconfigure.internal.signature.SpringArguments
import io.github.batchsqs.internal.codec.Envelope
import io.github.batchsqs.testkit.Progress
import java.io.IOException
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CountDownLatch
import kotlin.concurrent.thread
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.emptyFlow
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import org.mockito.Mockito.`when`
import org.mockito.Mockito.mock
import org.springframework.core.ResolvableType

/** Suspend functions as handlers: their signatures, and what they do to the thread of the invocation. */
class SuspendFunctionTests {

    private val handler = Handler()

    @ParameterizedTest
    @CsvSource(
        "payloads, false, io.github.batchsqs.kotlin.SuspendFunctionTests\$Order",
        "openPayloads, false, io.github.batchsqs.kotlin.SuspendFunctionTests\$Event",
        "messages, false, io.github.batchsqs.kotlin.SuspendFunctionTests\$Order",
        "batch, false, io.github.batchsqs.kotlin.SuspendFunctionTests\$Order",
        "payload, true, io.github.batchsqs.kotlin.SuspendFunctionTests\$Order",
        "message, true, java.lang.String",
        "inherited, false, io.github.batchsqs.kotlin.SuspendFunctionTests\$Order",
    )
    fun theContinuationIsNoParameter(name: String, single: Boolean, payloadType: String) {
        val signature = signature(Shapes::class.java, name).signatures().single()

        assertThat(signature.single()).isEqualTo(single)
        assertThat(signature.payloadType().typeName).isEqualTo(payloadType)
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = [
            "text | its return type, java.lang.String, is not supported",
            "flow | is neither collected nor awaited by the listener: do so in the function, declare it suspend, and return Unit or BatchOutcome",
            "deferred | is neither collected nor awaited by the listener",
            "flowOfPayloads | is ambiguous: take List<T> for a batch",
            "nothing | none of its parameters takes messages",
        ],
    )
    fun refusesOtherSignaturesWithoutTheContinuation(name: String, why: String) {
        val refused = assertThrows<SetupException> { signature(Refused::class.java, name) }
        assertThat(refused.problem()).contains(why).doesNotContain("Continuation")
        assertThat(refused.remedy()).contains("a suspend function of Kotlin returns Unit or BatchOutcome")
    }

    @Test
    fun returnsTheOutcomeOfAFunctionThatWasSuspendedOrNot() {
        handler.body = {
            delay(1)
            BatchOutcome.retry()
        }
        assertThat(call()).isEqualTo(BatchOutcome.retry())
        handler.body = { BatchOutcome.retry() }
        assertThat(call()).isEqualTo(BatchOutcome.retry())
    }

    @Test
    fun unitMeansDone() {
        val seen = mutableListOf<List<String>>()
        val done = listener(object {
            @Suppress("unused")
            suspend fun handle(orders: List<String>) {
                yield()
                seen += orders
            }
        }).onBatch(batch())
        assertThat(done).isEqualTo(BatchOutcome.done())
        assertThat(seen).containsExactly(listOf("an order"))
    }

    @Test
    fun throwsTheExceptionOfTheFunctionItself() {
        handler.body = { throw IOException("at once") }
        assertThatExceptionOfType(IOException::class.java).isThrownBy { call() }.withMessage("at once").withNoCause()

        handler.body = {
            yield()
            throw IOException("later")
        }
        assertThatExceptionOfType(IOException::class.java).isThrownBy { call() }.withMessage("later").withNoCause()

        handler.body = { withContext(Dispatchers.IO) { throw StackOverflowError() } }
        assertThatExceptionOfType(StackOverflowError::class.java).isThrownBy { call() }

        handler.body = { withTimeout(1) { awaitCancellation() } }
        assertThatExceptionOfType(TimeoutCancellationException::class.java).isThrownBy { call() }
    }

    @Test
    fun staysOnTheThreadOfTheInvocation() {
        val threads = mutableListOf<Thread>()
        handler.body = {
            threads += Thread.currentThread()
            delay(1)
            threads += Thread.currentThread()
            withContext(Dispatchers.IO) { assertThat(Thread.currentThread()).isNotEqualTo(threads.first()) }
            threads += Thread.currentThread()
            launch { threads += Thread.currentThread() }
            BatchOutcome.done()
        }
        call()
        assertThat(threads).hasSize(4).containsOnly(Thread.currentThread())
    }

    @Test
    fun waitsForTheCoroutinesOfItsScope() {
        var ended = false
        handler.body = {
            launch(Dispatchers.Default) {
                delay(1)
                ended = true
            }
            BatchOutcome.done()
        }
        call()
        assertThat(ended).isTrue()
    }

    @Test
    fun anInterruptCancelsTheCoroutineAndWaitsForItsEnd() {
        val started = CountDownLatch(1)
        val cleaning = CountDownLatch(1)
        val clean = CompletableDeferred<Unit>()
        var cleanedOn: Thread? = null
        handler.body = {
            try {
                started.countDown()
                awaitCancellation()
            } finally {
                withContext(NonCancellable) {
                    cleaning.countDown()
                    clean.await()
                    cleanedOn = Thread.currentThread()
                }
            }
        }
        val result = CompletableFuture<BatchOutcome>()
        val thread = callOnAThread(result)
        Progress.await(started)
        thread.interrupt()
        Progress.await(cleaning)
        thread.interrupt() // another one does not cut the wait short
        assertThat(result.isDone).isFalse()

        clean.complete(Unit)
        assertThat(Progress.failure(result)).isInstanceOf(InterruptedException::class.java)
        assertThat(cleanedOn).isEqualTo(thread)
    }

    @Test
    fun anInterruptReachesACoroutineThatIsNeverIdle() {
        val started = CountDownLatch(1)
        handler.body = {
            repeat(Int.MAX_VALUE) {
                started.countDown()
                yield()
            }
            BatchOutcome.done()
        }
        val result = CompletableFuture<BatchOutcome>()
        val thread = callOnAThread(result)
        Progress.await(started)
        thread.interrupt()
        assertThat(Progress.failure(result)).isInstanceOf(InterruptedException::class.java)
    }

    /** The compiler of Kotlin uses the JDK that runs Maven, which may have no virtual threads. */
    private fun callOnAThread(result: CompletableFuture<BatchOutcome>): Thread = thread {
        try {
            result.complete(call())
        } catch (e: Throwable) {
            result.completeExceptionally(e)
        }
    }

    private fun call(): BatchOutcome = listener(handler).onBatch(batch())

    private fun listener(bean: Any): BatchListener<Any> =
        signature(bean.javaClass, "handle").listener(bean, SpringArguments.of(null, Envelope.NONE))

    private fun signature(type: Class<*>, name: String): Handlers =
        Handlers.of(type.methods.single { it.name == name }, ResolvableType.forClass(type))

    private fun batch(): MessageBatch<Any> {
        @Suppress("UNCHECKED_CAST")
        val message = mock(SqsMessage::class.java) as SqsMessage<Any>
        `when`(message.payload()).thenReturn("an order")
        return MessageBatch("orders", listOf(message), mock(Acknowledgement::class.java))
    }

    class Handler {
        lateinit var body: suspend CoroutineScope.() -> BatchOutcome

        @Suppress("unused")
        suspend fun handle(orders: List<String>): BatchOutcome = coroutineScope { body() }
    }

    data class Order(val number: Int)

    open class Event

    abstract class Inherited<T> {
        @Suppress("unused")
        suspend fun inherited(payloads: List<T>): Unit = yield()
    }

    @Suppress("unused", "UNUSED_PARAMETER", "RedundantSuspendModifier")
    class Shapes : Inherited<Order>() {
        suspend fun payloads(orders: List<Order>) {}

        suspend fun openPayloads(events: List<Event>): BatchOutcome = BatchOutcome.done()

        suspend fun messages(orders: List<SqsMessage<Order>>): BatchOutcome = BatchOutcome.done()

        suspend fun batch(batch: MessageBatch<Order>) {}

        suspend fun payload(order: Order): BatchOutcome = BatchOutcome.done()

        suspend fun message(acknowledgement: Acknowledgement, message: SqsMessage<String>) {}
    }

    @Suppress("unused", "UNUSED_PARAMETER", "RedundantSuspendModifier")
    class Refused {
        suspend fun text(orders: List<Order>): String = ""

        fun flow(orders: List<Order>): Flow<Order> = emptyFlow()

        fun deferred(orders: List<Order>): Deferred<BatchOutcome> = CompletableDeferred(BatchOutcome.done())

        suspend fun flowOfPayloads(orders: Flow<Order>) {}

        suspend fun nothing() {}
    }
}
