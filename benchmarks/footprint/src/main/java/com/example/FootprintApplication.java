/* SPDX-License-Identifier: Apache-2.0 */
package com.example;

import io.github.batchsqs.annotation.BatchSqsListener;
import java.lang.management.ManagementFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;

/** One listener and nothing else. Prints the milliseconds from the start of the JVM, its beans and its classes, and ends. */
@SpringBootApplication
public class FootprintApplication {

    public static void main(String[] args) {
        SpringApplication.run(FootprintApplication.class, args);
    }

    @BatchSqsListener(queue = "orders")
    void handle(String order) {}

    @EventListener
    void ready(ApplicationReadyEvent event) {
        long millis = System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
        ConfigurableApplicationContext context = event.getApplicationContext();
        System.out.println("footprint "
                + millis
                + " "
                + context.getBeanDefinitionCount()
                + " "
                + context.getBeanFactory().getSingletonCount()
                + " "
                + ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount());
        Runtime.getRuntime().halt(0);
    }
}
