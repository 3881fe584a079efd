/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.test;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A user's application. */
@SpringBootApplication
class OrderApplication {

    record Order(int number) {}

    interface OrderStore {
        void store(Order order);
    }
}
