/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.testkit.Progress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MessageDefaultsTests extends TemplateFixture {

    private static final MessageAttribute SOURCE = MessageAttribute.string("orders-service");

    @Test
    void sendsToTheDefaultQueue() throws Exception {
        BatchSqsTemplate withQueue = template(options -> options.defaultQueue("q"));

        assertThat(Progress.get(withQueue.sendDefault("a")).queue()).isEqualTo("q");
        var results = withQueue.sendAll(BatchSqsOperations.DEFAULT_QUEUE, List.of("b", "c"));

        assertThat(results.successful()).hasSize(2);
        assertThat(seam.entries).extracting("body").containsExactly("a", "b", "c");
    }

    @Test
    void failsAMessageToTheDefaultQueueIfThereIsNone() throws Exception {
        SendFailedException failure = failureOf(template.sendDefault("a"));

        assertThat(failure.code()).isEqualTo(SendFailedException.INVALID_MESSAGE);
        assertThat(failure.retryable()).isFalse();
        assertThat(failure)
                .hasMessageContaining("There is no default queue: name the queue, or set default-queue"
                        + " (batchsqs.sender.default-queue)");
        assertThat(template.sendAll(BatchSqsOperations.DEFAULT_QUEUE, List.of("b"))
                        .failed())
                .hasSize(1);
        assertThat(events.log).contains("refused InvalidMessage");
    }

    @Test
    void addsAttributesThatTheMessageDoesNotHave() throws Exception {
        BatchSqsTemplate withAttributes = template(options ->
                options.defaultAttributes(Map.of("source", SOURCE, "kind", MessageAttribute.string("default"))));

        Progress.get(withAttributes.send(
                OutgoingMessage.builder("q", "a").attribute("kind", "own").build()));

        assertThat(seam.entries)
                .singleElement()
                .extracting("attributes")
                .isEqualTo(Map.of("source", SOURCE, "kind", MessageAttribute.string("own")));
    }

    @Test
    void countsThemAmongTheTenOfAMessage() {
        BatchSqsTemplate withAttributes = template(options -> options.defaultAttributes(Map.of("source", SOURCE)));
        var message = OutgoingMessage.builder("q", "a");
        for (int i = 0; i < 10; i++) {
            message.attribute("a" + i, i);
        }

        assertThat(failureOf(withAttributes.send(message.build())))
                .hasMessageContaining("It has 11 attributes, but SQS takes at most 10");
    }

    @Test
    void refusesValuesThatNoMessageCouldHave() {
        assertThatThrownBy(() -> template(options -> options.defaultQueue(" ")))
                .isInstanceOf(InvalidOptionException.class)
                .hasMessage("default-queue must not be blank, but is ' '; name a queue, or remove it");
        assertThatThrownBy(() -> template(options -> options.defaultAttributes(Map.of("AWS.x", SOURCE))))
                .isInstanceOf(InvalidOptionException.class)
                .hasMessageContaining(
                        "default-attributes must be attributes that SQS takes (The attribute 'AWS.x' must have a name");
    }
}
