/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.verify;

import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.test.OrderApplication.Order;
import io.github.batchsqs.test.OrderApplication.OrderStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

/** A user's test, as short as it is meant to be. */
@BatchSqsTest(
        properties = {
            "batchsqs.embedded.queues[0].name=orders",
            "batchsqs.embedded.queues[0].dead-letter-queue=orders-dlq",
            "batchsqs.listener.failure.non-retryable=java.lang.IllegalStateException"
        })
class BatchSqsTestTests {

    @Autowired
    BatchSqsOperations sqs;

    @Autowired
    TestQueues queues;

    @MockitoBean
    OrderStore store;

    @Test
    void theListenerHandlesWhatIsSent() throws Exception {
        sqs.sendAll("orders", List.of(new Order(1), new Order(2)));
        await().atMost(Duration.ofMinutes(1)).until(queues.drained("orders"));
        verify(store).store(new Order(1));
        verify(store).store(new Order(2));
    }

    @Test
    void whatFailsIsInTheDeadLetterQueue() throws Exception {
        doThrow(new IllegalStateException("out of stock")).when(store).store(any());
        sqs.sendAndWait("orders", new Order(3));
        await().atMost(Duration.ofMinutes(1)).until(queues.drained("orders"));
        assertThat(queues.size("orders-dlq")).isEqualTo(1);
        assertThat(queues.takeAll("orders-dlq")).containsExactly("{\"number\":3}");
        assertThat(queues.size("orders-dlq")).isZero();
    }
}
