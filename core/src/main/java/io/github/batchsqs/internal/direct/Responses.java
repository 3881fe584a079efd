/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.internal.sdk.BatchResults;
import io.github.batchsqs.internal.sdk.ParsedMessage;
import io.github.batchsqs.internal.sdk.UnexpectedResponseException;
import io.github.batchsqs.internal.support.SqsLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads responses in one pass. Unknown members are skipped, so that SQS may add some.
 *
 * <p>A response that violates the protocol throws an {@link tools.jackson.core.JacksonException}.
 */
final class Responses {

    private static final String[] NO_TEXTS = {};

    private Responses() {}

    /** Returns the messages of a {@code ReceiveMessage}. */
    static List<ReceivedMessage> received(ResponseJson json) {
        List<ReceivedMessage> messages = new ArrayList<>(SqsLimits.MAX_PER_CALL);
        String name = json.open() ? json.nextMember() : null;
        for (; name != null; name = json.nextMember()) {
            if (name.equals("Messages")) {
                json.forEach(() -> messages.add(message(json)));
            } else {
                json.skip();
            }
        }
        return UnexpectedResponseException.settleable(Collections.unmodifiableList(messages));
    }

    /** Returns the result of each entry of a batch whose response has only ids. */
    static List<EntryResult<Void>> accepted(ResponseJson json, int entries) {
        BatchResults<Void> results = new BatchResults<>(entries);
        return results(json, results, entry -> results.accepted(entry.id, BatchResults.ACCEPTED));
    }

    /** Returns the result of each entry of a send. */
    static List<EntryResult<SentMessage>> sent(ResponseJson json, int entries) {
        BatchResults<SentMessage> results = new BatchResults<>(entries);
        return results(json, results, entry -> {
            if (entry.messageId != null) { // else there is no result: the entry counts as missing
                results.accepted(
                        entry.id, new EntryResult.Accepted<>(new SentMessage(entry.messageId, entry.sequenceNumber)));
            }
        });
    }

    private static ReceivedMessage message(ResponseJson json) {
        String id = null;
        String receiptHandle = null;
        String body = null;
        String bodyDigest = null;
        String attributesDigest = null;
        String[] systemAttributes = NO_TEXTS;
        Map<String, MessageAttribute> attributes = Map.of();
        for (String name = json.nextMember(); name != null; name = json.nextMember()) {
            switch (name) {
                case "MessageId" -> id = json.text();
                case "ReceiptHandle" -> receiptHandle = json.text();
                case "Body" -> body = json.text();
                case "MD5OfBody" -> bodyDigest = json.text();
                case "Attributes" -> systemAttributes = texts(json);
                case "MessageAttributes" -> attributes = attributes(json);
                case "MD5OfMessageAttributes" -> attributesDigest = json.text();
                default -> json.skip();
            }
        }
        return new ParsedMessage(
                UnexpectedResponseException.required("MessageId", id),
                UnexpectedResponseException.required("ReceiptHandle", receiptHandle),
                UnexpectedResponseException.required("Body", body),
                bodyDigest,
                systemAttributes,
                attributes,
                attributesDigest);
    }

    /** Alternating names and values, and nothing from the end on. */
    private static String[] texts(ResponseJson json) {
        String[] texts = new String[8];
        int size = 0;
        if (!json.object()) {
            return NO_TEXTS;
        }
        for (String name = json.nextMember(); name != null; name = json.nextMember()) {
            String value = json.text();
            if (value != null) {
                texts = size < texts.length ? texts : Arrays.copyOf(texts, 2 * size);
                texts[size++] = name;
                texts[size++] = value;
            }
        }
        return texts;
    }

    private static Map<String, MessageAttribute> attributes(ResponseJson json) {
        if (!json.object()) {
            return Map.of();
        }
        Map<String, MessageAttribute> attributes = new HashMap<>();
        for (String name = json.nextMember(); name != null; name = json.nextMember()) {
            if (!json.object()) {
                throw new UnexpectedResponseException("The response has a message attribute without a value");
            }
            String type = null;
            String text = null;
            byte[] bytes = null;
            for (String part = json.nextMember(); part != null; part = json.nextMember()) {
                switch (part) {
                    case "DataType" -> type = json.text();
                    case "StringValue" -> text = json.text();
                    case "BinaryValue" -> bytes = json.base64();
                    default -> json.skip();
                }
            }
            attributes.put(name, ParsedMessage.attribute(type, text, bytes));
        }
        return Collections.unmodifiableMap(attributes);
    }

    private static <R> List<EntryResult<R>> results(
            ResponseJson json, BatchResults<R> results, Consumer<Entry> successful) {
        Entry entry = new Entry();
        String name = json.open() ? json.nextMember() : null;
        for (; name != null; name = json.nextMember()) {
            switch (name) {
                case "Successful" ->
                    json.forEach(() -> {
                        entry.read(json);
                        successful.accept(entry);
                    });
                case "Failed" ->
                    json.forEach(() -> {
                        entry.read(json);
                        results.rejected(entry.id, entry.code, entry.message, entry.senderFault);
                    });
                default -> json.skip();
            }
        }
        return results.inOrder();
    }

    /** The entry of a batch's response, successful or failed, that is read now. */
    private static final class Entry {
        private @Nullable String id;
        private @Nullable String messageId;
        private @Nullable String sequenceNumber;
        private @Nullable String code;
        private @Nullable String message;
        private boolean senderFault;

        private void read(ResponseJson json) {
            id = messageId = sequenceNumber = code = message = null;
            senderFault = false;
            for (String name = json.nextMember(); name != null; name = json.nextMember()) {
                switch (name) {
                    case "Id" -> id = json.text();
                    case "MessageId" -> messageId = json.text();
                    case "SequenceNumber" -> sequenceNumber = json.text();
                    case "Code" -> code = json.text();
                    case "Message" -> message = json.text();
                    case "SenderFault" -> senderFault = json.truth();
                    default -> json.skip();
                }
            }
        }
    }
}
