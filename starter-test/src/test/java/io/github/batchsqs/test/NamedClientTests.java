/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.test;

import static org.mockito.Mockito.verify;

import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.test.OrderApplication.Order;
import io.github.batchsqs.test.OrderApplication.OrderStore;
import io.github.batchsqs.testkit.Progress;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

/** A user's test of a listener of another account, whose endpoint and profile the test must not need. */
@BatchSqsTest(
        properties = {
            "batchsqs.embedded.queues=orders",
            "batchsqs.clients.audit.region=us-west-2",
            "batchsqs.clients.audit.endpoint=https://sqs.us-west-2.amazonaws.com",
            "batchsqs.clients.audit.credentials.profile=audit",
            "batchsqs.listener.client=audit"
        })
class NamedClientTests {

    @Autowired
    BatchSqsOperations sqs;

    @Autowired
    TestQueues queues;

    @MockitoBean
    OrderStore store;

    @Test
    void theListenerHandlesWhatItsClientSends() throws Exception {
        var ignored = sqs.client("audit").sendAndWait("orders", new Order(1));
        Progress.until(queues.drained("orders"));
        verify(store).store(new Order(1));
    }
}
