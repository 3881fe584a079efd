/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimilarIdsTests {

    @ParameterizedTest
    @CsvSource({
        "ordrs, orders",
        "oredrs, orders",
        "Order, orders",
        "my-ordes, my-orders",
        "myorder, my-orders",
        "shipmants-2, shipments-2"
    })
    void findsTheIdThatWasMeant(String written, String id) {
        assertThat(SimilarIds.of(written, List.of("receipts", id))).isEqualTo(id);
    }

    @ParameterizedTest
    @CsvSource({
        "eu, us",
        "orders-eu, orders-us",
        "orders-1, orders-2",
        "orders1, orders2",
        "orders-v1-retry, orders-v2-retry",
        "orders, refunds",
        "orders-internal, orders-external",
        "complete, incomplete",
        "orders-v1, orders-v2",
        "activate, deactivate",
        "increase, decrease",
        "orders-retry, orders"
    })
    void leavesDifferentIdsAlone(String written, String id) {
        assertThat(SimilarIds.of(written, List.of("receipts", id))).isNull();
    }
}
