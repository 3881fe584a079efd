/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.settings;

import io.github.batchsqs.internal.receive.delivery.MessageMemory;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * All keys under {@code batchsqs.}. One class binds them all, so that an unknown key ends the start-up.
 *
 * @param enabled Whether BatchSQS is active. Without it the application has no listeners and no template of BatchSQS: beans that
 *     need the template do not start.
 * @param inFlightBytes Maximum total size of the messages that all listeners have received and not yet settled, at least 1MB.
 *     A listener that has none receives all the same. Payloads that were fetched from S3 for handlers have a
 *     separate limit of the same size. Default: an eighth of the maximum heap.
 * @param listener Defaults of all listeners.
 * @param listeners Settings of single listeners by id. They override the defaults and the annotation.
 * @param sender Sending of messages.
 * @param client Calls to SQS.
 * @param clients Clients by name, for queues of other accounts and regions: region, endpoint, credentials.access-key and
 *     .secret-key, or credentials.profile, and credentials.role-arn. Settings of a client that are absent are those of spring.cloud.aws.
 * @param s3 Payloads in S3.
 * @param jdbc Effectively once: inbox and outbox in the application's database.
 * @param embedded SQS server in the process, for development and tests.
 */
@ConfigurationProperties(prefix = "batchsqs", ignoreUnknownFields = false)
public record BatchSqsProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable DataSize inFlightBytes,
        @NestedConfigurationProperty @DefaultValue ListenerSettings listener,
        @DefaultValue Map<String, ListenerSettings> listeners,
        @NestedConfigurationProperty @DefaultValue SenderSettings sender,
        @NestedConfigurationProperty @DefaultValue ClientSettings client,
        @DefaultValue Map<String, NamedClientSettings> clients,
        @NestedConfigurationProperty @DefaultValue S3Settings s3,
        @NestedConfigurationProperty @DefaultValue JdbcSettings jdbc,
        @NestedConfigurationProperty @DefaultValue EmbeddedSettings embedded) {

    /** Returns the memory for messages in flight. */
    public MessageMemory memory() {
        return inFlightBytes == null ? MessageMemory.ofHeap() : MessageMemory.of(inFlightBytes.toBytes());
    }
}
