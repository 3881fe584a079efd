/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import io.github.batchsqs.codec.JacksonPayloadCodec;
import io.github.batchsqs.internal.send.BatchSqsTemplate;
import io.github.batchsqs.internal.send.SenderResources;
import io.github.batchsqs.send.SendResult;
import io.github.batchsqs.send.SenderOptions;
import io.github.batchsqs.testkit.ElasticMqServer;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.regions.Region;
import tools.jackson.databind.json.JsonMapper;

/** A process that sends large documents as fast as the template takes them, and ends when SQS has accepted all. */
final class SmallHeapProducer {

    private SmallHeapProducer() {}

    /**
     * Sends documents.
     *
     * @param arguments the endpoint, the number of messages, and their size
     */
    public static void main(String... arguments) {
        URI endpoint = URI.create(arguments[0]);
        int messages = Integer.parseInt(arguments[1]);
        int size = Integer.parseInt(arguments[2]);
        try (BatchSqsTemplate template = new BatchSqsTemplate(
                SenderOptions.builder().build(),
                SenderResources.of(
                        ElasticMqServer.newQueueClient(ElasticMqServer.newClient(endpoint, Region.US_EAST_1)),
                        new SmallHeapConsumer.OneQueue(endpoint),
                        new JacksonPayloadCodec(JsonMapper.shared())))) {
            List<CompletableFuture<SendResult>> results = new ArrayList<>();
            for (int i = 0; i < messages; i++) {
                results.add(template.send("documents", new SmallHeapConsumer.Document(i, "x".repeat(size))));
            }
            results.forEach(CompletableFuture::join);
        }
        System.exit(0); // the HTTP client has threads
    }
}
