package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.awspring.cloud.core.SpringCloudClientConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.client.RestClient;

/** The application itself, with a web server, the actuator and a tracer, as an operator sees it. */
class OperationsTests {

    private final ConfigurableApplicationContext application = SpringApplication.run(
            OrdersApplication.class,
            "--server.port=0",
            "--management.endpoints.web.exposure.include=health,batchsqs",
            "--management.endpoint.health.show-details=always",
            "--management.otlp.metrics.export.enabled=false");
    private final RestClient http =
            RestClient.create("http://localhost:" + application.getEnvironment().getProperty("local.server.port"));

    @AfterEach
    void close() {
        application.close();
    }

    @Test
    void theActuatorShowsTheListener() {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("expected.boot"));
        assertThat(Runtime.version().feature()).hasToString(System.getProperty("expected.java"));
        assertThat(SpringCloudClientConfiguration.class.getPackage().getImplementationVersion())
                .isEqualTo(System.getProperty("expected.cloud"));

        assertThat(get("/actuator/health")).containsIgnoringCase("batchsqs").contains("\"orders\"", "\"UP\"");
        assertThat(get("/actuator/batchsqs/orders")).contains("\"batch-size\"", "OrdersApplication");

        var meters = application.getBean(MeterRegistry.class);
        await().atMost(Duration.ofMinutes(2))
                .until(() -> meters.get("batchsqs.listener.acknowledged").counter().count() == 20);
        // The tracer wants spans, so there are observations
        assertThat(meters.get("batchsqs.process").timer().count()).isPositive();
        assertThat(meters.get("batchsqs.send").timer().count()).isEqualTo(20);
    }

    private String get(String path) {
        return http.get().uri(path).retrieve().body(String.class);
    }
}
