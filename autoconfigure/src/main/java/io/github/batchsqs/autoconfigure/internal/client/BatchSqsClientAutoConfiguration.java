/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.client;

import io.awspring.cloud.autoconfigure.core.AwsAutoConfiguration;
import io.awspring.cloud.autoconfigure.sqs.SqsAutoConfiguration;
import io.awspring.cloud.autoconfigure.sqs.SqsProperties;
import io.github.batchsqs.autoconfigure.internal.embedded.EmbeddedEndpoint;
import io.github.batchsqs.autoconfigure.internal.settings.BatchSqsProperties;
import io.github.batchsqs.autoconfigure.internal.settings.Switches;
import io.github.batchsqs.client.HttpClientOptions;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.codec.JacksonPayloadCodec;
import io.github.batchsqs.codec.PayloadCodec;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.sdk.AwsDeadLetterRedrive;
import io.github.batchsqs.internal.sdk.AwsQueueResolver;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.payload.PayloadStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import software.amazon.awssdk.services.sqs.SqsClient;
import tools.jackson.databind.json.JsonMapper;

/**
 * The client to SQS, and the codec: {@code spring.cloud.aws.*}, connection details and customizers apply as they do to Spring Cloud AWS's
 * own clients.
 *
 * <p>The SDK client is the bean {@code batchSqsClient}. The application's own {@code SqsClient} is used instead if it is the
 * only one, the primary one, or a bean of that name. It needs a connection
 * for each concurrent call, and a read timeout above {@code wait-time}. With the embedded server only a bean of
 * that name is used. The bean {@code batchSqsClient} is no default candidate, so it makes no client of the application
 * ambiguous. To change it, define a customizer ({@code AwsSyncClientCustomizer}, or
 * {@code AwsClientCustomizer<SqsClientBuilder>}); to replace all that BatchSQS does with it, define a {@link QueueClient}
 * and a {@link QueueResolver}: then there is no SDK client, and no region is needed, unless something else asks for it.
 *
 * <p>Receives, deletes and sends take the SDK client's parts and leave out its request pipeline
 * ({@link io.github.batchsqs.internal.direct.DirectQueueClient}), unless the client has hooks in that pipeline or {@code
 * batchsqs.client.direct} is false.
 *
 * <p>The clients of {@code batchsqs.clients} are built in the same way when a listener or a sender uses them; customizers apply
 * to each of them, and the settings of its name override the customizers.
 *
 * <p>A bean of type {@link HttpClientOptions} changes the connections of the clients: their time to live and number, TLS, proxy.
 *
 * <p>Payloads are read and written by the application's {@code JsonMapper}, or by a {@link PayloadCodec} of its own.
 */
// Before Spring Cloud AWS's, so that our own error reports a missing region
@AutoConfiguration(after = AwsAutoConfiguration.class, before = SqsAutoConfiguration.class)
@Conditional(Switches.BatchSqs.class)
@EnableConfigurationProperties({SqsProperties.class, BatchSqsProperties.class})
@Import(SqsClientFactory.class)
public final class BatchSqsClientAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(BatchSqsClientAutoConfiguration.class);

    private static final String CLIENT = "batchSqsClient";
    private static final String HTTP = "batchSqsHttpClient";

    /** Creates the configuration; Spring calls this constructor. */
    public BatchSqsClientAutoConfiguration() {}

    @Bean(defaultCandidate = false)
    SharedHttpClient batchSqsHttpClient(ObjectProvider<HttpClientOptions> options) {
        return new SharedHttpClient(options.getIfAvailable(HttpClientOptions::defaults));
    }

    /** The factory closes the client that it makes, and the application its own. */
    @Lazy
    @Bean(name = CLIENT, defaultCandidate = false, destroyMethod = "")
    @ConditionalOnMissingBean(name = CLIENT)
    SqsClient batchSqsClient(
            @Qualifier(HTTP) SharedHttpClient http,
            ObjectProvider<SqsClientFactory> factory,
            ObjectProvider<SqsClient> ofTheApplication,
            ObjectProvider<EmbeddedEndpoint> embedded) {
        SqsClient own = embedded.getIfAvailable() == null ? ofTheApplication.getIfUnique() : null;
        if (own == null) {
            return factory.getObject().create(http);
        }
        log.info("BatchSQS uses the SqsClient of the application. Its HTTP client must have a connection for each"
                + " concurrent call (pollers.max of each listener, and those of deletes and sends) and wait longer than"
                + " wait-time for a response. With @Bean(defaultCandidate = false) there, BatchSQS has a client of its"
                + " own.");
        return own;
    }

    @Bean
    @ConditionalOnMissingBean
    QueueClient batchSqsQueueClient(
            @Qualifier(CLIENT) SqsClient client,
            @Qualifier(HTTP) SharedHttpClient http,
            BatchSqsProperties properties,
            ObjectProvider<EmbeddedEndpoint> embedded) {
        QueueClient chosen = http.queues(client, properties.client().direct());
        EmbeddedEndpoint server = embedded.getIfAvailable();
        return server == null ? chosen : server.withoutLoss(chosen);
    }

    @Bean
    @ConditionalOnMissingBean
    QueueResolver batchSqsQueueResolver(@Qualifier(CLIENT) SqsClient client) {
        return new AwsQueueResolver(client);
    }

    /** Depends on the beans of the default client, so that it is closed before them and before the embedded server. */
    @Bean(destroyMethod = "close")
    NamedClients batchSqsNamedClients(
            QueueClient client,
            QueueResolver resolver,
            @Qualifier(CLIENT) ObjectProvider<SqsClient> sqs,
            ObjectProvider<SqsClientFactory> sqsClients,
            ObjectProvider<EmbeddedEndpoint> embedded,
            BatchSqsProperties properties,
            ObjectProvider<HttpClientOptions> httpOptions,
            ListableBeanFactory beans) {
        var defaultClient = new NamedClient(
                client,
                resolver,
                () -> new AwsDeadLetterRedrive(sqs.getObject()),
                () -> beans.containsBean("batchSqsQueueClient") ? sqs.getIfAvailable() : null,
                () -> {});
        return new NamedClients(
                defaultClient,
                properties,
                sqsClients,
                embedded,
                httpOptions.getIfAvailable(HttpClientOptions::defaults));
    }

    /** A bucket that nobody uses would make large messages fail one by one. */
    @Bean
    SmartInitializingSingleton batchSqsPayloadStoreCheck(
            BatchSqsProperties properties, ObjectProvider<PayloadStore> stores) {
        return () -> Check.that(
                properties.s3().bucket() == null || stores.stream().findAny().isPresent(),
                "batchsqs.s3.bucket",
                "needs the module batchsqs-spring-boot-s3, which is not on the class path, or a bean of type PayloadStore",
                String.valueOf(properties.s3().bucket()),
                "add io.github.batchsqs:batchsqs-spring-boot-s3, or remove the key");
    }

    @Bean
    @ConditionalOnMissingBean
    PayloadCodec batchSqsPayloadCodec(ObjectProvider<JsonMapper> mapper) {
        return new JacksonPayloadCodec(mapper.getIfAvailable(JsonMapper::shared));
    }
}
