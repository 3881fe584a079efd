/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.kotlin

import io.github.batchsqs.Acknowledgement
import io.github.batchsqs.MessageBatch
import io.github.batchsqs.SqsMessage
import io.github.batchsqs.autoconfigure.internal.signature.Handlers
import io.github.batchsqs.autoconfigure.internal.signature.SpringArguments
import io.github.batchsqs.internal.codec.Envelope
import io.micrometer.observation.Observation
import io.micrometer.observation.ObservationHandler
import io.micrometer.observation.ObservationRegistry
import java.util.concurrent.Callable
import java.util.concurrent.Executors
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.delay
import kotlinx.coroutines.withContext
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.mockito.Mockito.mock
import org.springframework.core.ResolvableType

/** The observation of an invocation on the threads on which its coroutines run. */
class ObservationsOfCoroutinesTests {

    private val registry = ObservationRegistry.create()
    private val other = Executors.newSingleThreadExecutor()
    private val seen = mutableListOf<Observation?>()

    @AfterEach
    fun stop() {
        other.shutdown()
    }

    @Test
    fun theObservationIsCurrentOnEachThreadAfterEachSuspension() {
        registry.observationConfig().observationHandler(ObservationHandler<Observation.Context> { true })
        val observation = Observation.createNotStarted("batch", registry).start()

        observation.openScope().use {
            call()
            assertThat(registry.currentObservation).isSameAs(observation)
        }
        assertThat(seen).hasSize(5).containsOnly(observation)
        assertThat(currentOfTheOtherThread()).isNull()
    }

    @Test
    fun withoutAnObservationNoneIsCurrent() {
        call()
        assertThat(seen).hasSize(5).containsOnlyNulls()
    }

    @Test
    fun anObservationOfTheOtherThreadIsCurrentThereAfterwards() {
        registry.observationConfig().observationHandler(ObservationHandler<Observation.Context> { true })
        val observation = Observation.createNotStarted("batch", registry).start()
        val own = Observation.createNotStarted("other", registry).start()
        val scope = other.submit(Callable { own.openScope() }).get()

        observation.openScope().use { call() }
        assertThat(seen).hasSize(5).containsOnly(observation)
        assertThat(currentOfTheOtherThread()).isSameAs(own)
        other.submit { scope.close() }.get()
    }

    private fun currentOfTheOtherThread(): Observation? = other.submit(Callable { registry.currentObservation }).get()

    private fun call() {
        val bean = Handler()
        val method = Handler::class.java.methods.single { it.name == "handle" }
        @Suppress("UNCHECKED_CAST")
        val message = mock(SqsMessage::class.java) as SqsMessage<Any>
        Handlers.of(method, ResolvableType.forClass(Handler::class.java))
            .listener(bean, SpringArguments.of(null, Envelope.NONE))
            .onBatch(MessageBatch("orders", listOf(message), mock(Acknowledgement::class.java)))
    }

    @Suppress("unused")
    inner class Handler {
        suspend fun handle(orders: List<SqsMessage<String>>) {
            look()
            delay(1)
            look()
            withContext(other.asCoroutineDispatcher()) {
                look()
                delay(1)
                look()
            }
            look()
        }

        private fun look() {
            seen += registry.currentObservation
        }
    }
}
