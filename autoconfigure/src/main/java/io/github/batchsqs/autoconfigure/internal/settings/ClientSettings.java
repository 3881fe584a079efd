/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.settings;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Calls to SQS. Credentials, region, endpoint and HTTP client are always those of {@code spring.cloud.aws} and its customizers.
 *
 * @param direct Whether receives, deletes and sends bypass the AWS SDK's request pipeline to save CPU time, and compare no MD5
 *     digests. A customized client keeps the pipeline, such as one with interceptors, a retry strategy or an HTTP client of its
 *     own, and a log line names the reason.
 */
public record ClientSettings(@DefaultValue("true") boolean direct) {}
