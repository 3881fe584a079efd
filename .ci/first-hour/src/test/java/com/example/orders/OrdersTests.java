package com.example.orders;

import static org.awaitility.Awaitility.await;

import com.example.orders.OrdersApplication.Order;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.test.BatchSqsTest;
import io.github.batchsqs.test.TestQueues;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@BatchSqsTest
class OrdersTests {

    @Autowired
    BatchSqsOperations sqs;

    @Autowired
    TestQueues queues;

    @Test
    void anOrderIsHandled() throws Exception {
        sqs.sendAndWait("orders", new Order(1));
        await().until(queues.drained("orders"));
    }
}
