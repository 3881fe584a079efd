/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.test.OrderApplication.OrderStore;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

/** Without a single setting. */
@BatchSqsTest
class MissingQueueTests {

    @Autowired
    ListenerContainers containers;

    @Autowired
    TestQueues queues;

    @MockitoBean
    OrderStore store;

    @Test
    void queuesAreMadeAsListenersNeedThem() throws Exception {
        assertThat(containers.get("orders").state()).isEqualTo(ContainerState.RUNNING);
        assertThat(queues.size("orders")).isZero();
    }
}
