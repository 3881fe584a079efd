/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Starts the sample: on an SQS server in this process, or with {@code --spring.profiles.active=aws} on a real account. */
@SpringBootApplication
@ConfigurationPropertiesScan
@EnableScheduling
public class SampleApplication {

    public static void main(String[] args) {
        SpringApplication.run(SampleApplication.class, args);
        // Ctrl-C is how the sample ends. Without this the exit code names the signal, which Maven reports as a failed
        // build
        SpringApplication.getShutdownHandlers().add(() -> Runtime.getRuntime().halt(0));
    }
}
