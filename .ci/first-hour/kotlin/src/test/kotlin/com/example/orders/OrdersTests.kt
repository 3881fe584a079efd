package com.example.orders

import io.github.batchsqs.kotlin.sendAndAwait
import io.github.batchsqs.send.BatchSqsOperations
import io.github.batchsqs.test.BatchSqsTest
import io.github.batchsqs.test.TestQueues
import kotlinx.coroutines.runBlocking
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired

@BatchSqsTest
class OrdersTests(@Autowired val sqs: BatchSqsOperations, @Autowired val queues: TestQueues) {

    @Test
    fun anOrderIsHandled() {
        runBlocking { sqs.sendAndAwait("orders", Order(1)) }
        await().until(queues.drained("orders"))
    }
}
