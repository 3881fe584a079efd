/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.settings;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How SQS is called. Credentials, region, endpoint and HTTP client are those of {@code spring.cloud.aws} and its
 * customizers in any case.
 *
 * @param direct Whether receives, deletes and sends leave out the AWS SDK's request pipeline, which saves CPU time. A client with execution interceptors, metric publishers, call timeouts or an HTTP client of a customizer's keeps
 *     the pipeline; a line in the log says so.
 */
public record ClientSettings(@DefaultValue("true") boolean direct) {}
