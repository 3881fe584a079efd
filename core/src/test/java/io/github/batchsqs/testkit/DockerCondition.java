/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.DockerClientFactory;

/**
 * Skips the server tests where they are to run on LocalStack in Docker and there is no Docker. Registered for every test,
 * and asks for Docker in the build's second run, the one whose endpoint is {@value ElasticMqServer#DOCKER}.
 */
public final class DockerCondition implements ExecutionCondition {

    private static final Logger log = LoggerFactory.getLogger(DockerCondition.class);
    private static final String NO_DOCKER = "skipped: no Docker";

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (!ElasticMqServer.endpointProperty().equals(ElasticMqServer.DOCKER)) {
            return enabled("Docker is not asked for");
        }
        if (Availability.DOCKER) {
            return enabled("there is Docker");
        }
        log.warn("{}: {}", context.getDisplayName(), NO_DOCKER);
        return disabled(NO_DOCKER);
    }

    /** Asked once. */
    private static final class Availability {
        static final boolean DOCKER = DockerClientFactory.instance().isDockerAvailable();
    }
}
