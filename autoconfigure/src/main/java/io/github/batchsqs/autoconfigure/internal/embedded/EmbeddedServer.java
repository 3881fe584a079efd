/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.embedded;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import io.github.batchsqs.autoconfigure.internal.settings.EmbeddedSettings;
import io.github.batchsqs.internal.support.Causes;
import java.net.BindException;
import java.net.URI;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.pekko.actor.ActorSystem;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * ElasticMQ in this process, on 127.0.0.1. Its queues live in memory and end with it.
 *
 * <p>Made before any SQS client of the context, because they have its address. Spring destroys in reverse order: it closes the
 * {@link EmbeddedEndpoint}, which stops the server, after the clients, and so after the listeners.
 */
final class EmbeddedServer {

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedServer.class);
    private static final String HOST = "127.0.0.1";
    private static final int STOP_SECONDS = 10;

    private EmbeddedServer() {}

    /** Starts the server and creates the queues; blocks until both are done. */
    static EmbeddedEndpoint start(EmbeddedSettings settings) {
        // An actor system of our own, because the server's own one outlives a start that failed
        var actors = ActorSystem.create("batchsqs-embedded", config());
        try {
            URI uri = bind(actors, settings.port());
            Set<String> queues = createQueues(uri, settings.queues());
            LOG.info("Embedded SQS server (ElasticMQ) on {}, queues {}", uri, queues);
            return new EmbeddedEndpoint(uri, () -> stop(actors));
        } catch (RuntimeException failure) {
            stop(actors);
            throw failure;
        }
    }

    /**
     * Quiet, no reason for the JVM to stay, and stopped by the context alone: a shutdown hook of its own would take the
     * server away from listeners that are stopping. The rest is ElasticMQ's own {@code reference.conf}.
     */
    private static Config config() {
        return ConfigFactory.parseString("""
            pekko {
              loglevel = WARNING
              stdout-loglevel = WARNING
              daemonic = on
              jvm-exit-on-fatal-error = off
              coordinated-shutdown {
                run-by-jvm-shutdown-hook = off
                run-by-actor-system-terminate = off
                terminate-actor-system = off
              }
            }
            """).withFallback(ConfigFactory.load(EmbeddedServer.class.getClassLoader()));
    }

    private static URI bind(ActorSystem actors, int port) {
        try {
            var binding = SQSRestServerBuilder.withActorSystem(actors)
                    .withInterface(HOST)
                    .withAWSRegion(EmbeddedEndpoint.REGION)
                    .withPort(port)
                    .start()
                    .waitUntilStarted();
            return URI.create("http://" + HOST + ":" + binding.localAddress().getPort());
        } catch (Exception failure) { // Scala declares nothing: checked exceptions arrive unannounced
            throw cannotBind(port, failure);
        }
    }

    private static RuntimeException cannotBind(int port, Exception failure) {
        return Causes.find(failure, BindException.class) == null
                ? new IllegalStateException("The embedded SQS server did not start", failure)
                : new SetupException(
                        "The embedded SQS server cannot listen on " + HOST + ":" + port + ": the port is in use.",
                        "Stop what uses it, or remove batchsqs.embedded.port to take a free port.",
                        failure);
    }

    /** Creates the queues over a client of their own and returns their names, the dead-letter queues included. */
    private static Set<String> createQueues(URI uri, List<EmbeddedSettings.Queue> queues) {
        Map<String, EmbeddedSettings.Queue> byName = new LinkedHashMap<>();
        queues.forEach(queue -> byName.put(queue.name(), queue));
        queues.stream()
                .flatMap(queue -> Stream.ofNullable(queue.deadLetterQueue()))
                .forEach(name -> byName.putIfAbsent(name, EmbeddedSettings.Queue.of(name)));
        if (byName.isEmpty()) {
            return Set.of();
        }
        try (SqsClient sqs = SqsClient.builder()
                .endpointOverride(uri)
                .region(Region.of(EmbeddedEndpoint.REGION))
                .credentialsProvider(EmbeddedEndpoint.CREDENTIALS)
                .httpClientBuilder(Apache5HttpClient.builder())
                .build()) {
            byName.forEach((name, queue) ->
                    sqs.createQueue(request -> request.queueName(name).attributes(attributes(queue))));
            byName.forEach((name, queue) -> setDeadLetterQueue(sqs, queue));
        }
        return byName.keySet();
    }

    private static Map<QueueAttributeName, String> attributes(EmbeddedSettings.Queue queue) {
        Map<QueueAttributeName, String> attributes = new EnumMap<>(QueueAttributeName.class);
        if (queue.name().endsWith(".fifo")) {
            attributes.put(QueueAttributeName.FIFO_QUEUE, "true");
        }
        if (queue.visibilityTimeout() != null) {
            attributes.put(
                    QueueAttributeName.VISIBILITY_TIMEOUT,
                    String.valueOf(queue.visibilityTimeout().toSeconds()));
        }
        return attributes;
    }

    /** When all queues are there: the dead-letter queue of one may come after it. */
    private static void setDeadLetterQueue(SqsClient sqs, EmbeddedSettings.Queue queue) {
        if (queue.deadLetterQueue() == null) {
            return;
        }
        String url = sqs.getQueueUrl(request -> request.queueName(queue.name())).queueUrl();
        String policy = "{\"deadLetterTargetArn\":\"arn:aws:sqs:%s:000000000000:%s\",\"maxReceiveCount\":\"%d\"}"
                .formatted(EmbeddedEndpoint.REGION, queue.deadLetterQueue(), queue.maxReceiveCountOrDefault());
        sqs.setQueueAttributes(
                request -> request.queueUrl(url).attributes(Map.of(QueueAttributeName.REDRIVE_POLICY, policy)));
    }

    private static void stop(ActorSystem actors) {
        actors.terminate();
        try {
            actors.getWhenTerminated().toCompletableFuture().get(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (Exception failure) {
            LOG.warn("The embedded SQS server did not stop within {} s", STOP_SECONDS, failure);
        }
    }
}
