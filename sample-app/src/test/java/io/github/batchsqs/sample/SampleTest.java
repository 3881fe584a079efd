/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Import;

/**
 * Runs against the whole sample on its embedded server, the same one for all tests that have this annotation, quick to
 * become slow and quick to recover.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "sample.first-orders=1000",
            "sample.visitors=false", // tests count orders
            "sample.race-messages=200",
            "sample.many-orders=${many-orders:1000}",
            "sample.slow-batch=20s",
            "sample.outage=10s",
            "sample.depth-every=200ms",
            "batchsqs.listener.wait-time=1s",
            "batchsqs.sender.max-block=1h", // a machine that stalls takes long for a look-up
            "batchsqs.listener.visibility.timeout=5s",
            "batchsqs.listeners.orders.failure.backoff.max=1s"
        })
@Import(SampleState.class)
@interface SampleTest {}
