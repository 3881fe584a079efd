/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.settings;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * All keys under {@code batchsqs.}. One class holds them all, so that a key which nobody knows ends the start-up instead
 * of being ignored.
 *
 * @param listener Defaults of all listeners.
 * @param listeners Settings of one listener, by its id; they override the defaults and the annotation.
 * @param sender How messages are sent.
 * @param health When a listener is reported as down.
 * @param client How SQS is called.
 * @param embedded SQS server in the process, for development and tests.
 */
@ConfigurationProperties(prefix = "batchsqs", ignoreUnknownFields = false)
public record BatchSqsProperties(
        @NestedConfigurationProperty @DefaultValue ListenerSettings listener,
        @DefaultValue Map<String, ListenerSettings> listeners,
        @NestedConfigurationProperty @DefaultValue SenderSettings sender,
        @NestedConfigurationProperty @DefaultValue HealthSettings health,
        @NestedConfigurationProperty @DefaultValue ClientSettings client,
        @NestedConfigurationProperty @DefaultValue EmbeddedSettings embedded) {}
