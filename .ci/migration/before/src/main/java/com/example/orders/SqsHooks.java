package com.example.orders;

import io.awspring.cloud.sqs.config.SqsMessageListenerContainerFactory;
import io.awspring.cloud.sqs.listener.SqsHeaders;
import io.awspring.cloud.sqs.listener.errorhandler.ErrorHandler;
import io.awspring.cloud.sqs.listener.errorhandler.ExponentialBackoffErrorHandler;
import io.awspring.cloud.sqs.listener.interceptor.MessageInterceptor;
import io.awspring.cloud.sqs.support.converter.MessagingMessageConverter;
import io.awspring.cloud.sqs.support.converter.SqsMessagingMessageConverter;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.messaging.Message;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import tools.jackson.databind.json.JsonMapper;

/** What Spring Cloud AWS takes from beans. */
@Configuration(proxyBeanMethods = false)
class SqsHooks {

    @Bean
    MessagingMessageConverter<software.amazon.awssdk.services.sqs.model.Message> messageConverter(JsonMapper mapper) {
        var converter = new SqsMessagingMessageConverter(mapper);
        converter.setPayloadTypeHeader("JavaType"); // SqsTemplate sends the class of the payload
        return converter;
    }

    @Bean
    ErrorHandler<Object> recovery(Journal journal) {
        return new ErrorHandler<>() {
            @Override
            public void handle(Message<Object> message, Throwable failure) {
                for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                    if (cause instanceof OrderRejectedException rejected) {
                        journal.write("skipped", rejected.order().number());
                        return; // the message is deleted
                    }
                }
                throw new IllegalStateException(failure);
            }
        };
    }

    @Bean
    MessageInterceptor<Object> watch(Journal journal) {
        return new MessageInterceptor<>() {
            @Override
            public Message<Object> intercept(Message<Object> message) {
                journal.write("before", queue(message));
                return message;
            }

            @Override
            public void afterProcessing(Message<Object> message, Throwable failure) {
                journal.write("after", queue(message));
            }

            @Override
            public Collection<Message<Object>> intercept(Collection<Message<Object>> messages) {
                messages.forEach(this::intercept);
                return messages;
            }

            @Override
            public void afterProcessing(Collection<Message<Object>> messages, Throwable failure) {
                messages.forEach(message -> afterProcessing(message, failure));
            }

            private String queue(Message<Object> message) {
                return message.getHeaders().get(SqsHeaders.SQS_QUEUE_NAME_HEADER, String.class);
            }
        };
    }

    @Bean
    SqsMessageListenerContainerFactory<Price> priceFactory(SqsAsyncClient client) {
        var converter = new SqsMessagingMessageConverter();
        converter.setPayloadMessageConverter(new PriceConverter());
        return SqsMessageListenerContainerFactory.<Price>builder()
                .sqsAsyncClient(client)
                .configure(options -> options.maxConcurrentMessages(4)
                        .maxMessagesPerPoll(4)
                        .pollTimeout(Duration.ofSeconds(2))
                        .messageVisibility(Duration.ofSeconds(60))
                        .acknowledgementInterval(Duration.ZERO)
                        .acknowledgementThreshold(0)
                        .messageConverter(converter))
                .errorHandler(ExponentialBackoffErrorHandler.<Price>builder()
                        .initialVisibilityTimeoutSeconds(1)
                        .maxVisibilityTimeoutSeconds(2)
                        .build())
                .build();
    }

    /** The extended client stores payloads with it. */
    @Bean
    S3AsyncClient s3AsyncClient(
            AwsCredentialsProvider credentials,
            AwsRegionProvider region,
            @Value("${spring.cloud.aws.s3.endpoint}") URI endpoint) {
        return S3AsyncClient.builder()
                .credentialsProvider(credentials)
                .region(region.getRegion())
                .endpointOverride(endpoint)
                .forcePathStyle(true)
                .build();
    }
}
