/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client.direct;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.client.EntryResult;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.client.SendEntry;
import io.github.batchsqs.client.SentMessage;
import io.github.batchsqs.client.sdk.support.BatchResults;
import io.github.batchsqs.client.sdk.support.IncompleteResponseException;
import io.github.batchsqs.client.sdk.support.SentDigests;
import io.github.batchsqs.support.SqsLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads responses in one pass. Unknown members are skipped, so that SQS may add some.
 *
 * <p>A response that violates the protocol throws Jackson's error; one with a wrong digest throws the SDK's.
 */
final class Responses {

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(1_000)
                    .maxNameLength(65_535)
                    .build())
            .build();

    private static final String[] NO_TEXTS = {};

    private final boolean digests;

    Responses(boolean digests) {
        this.digests = digests;
    }

    /** Returns the messages of a {@code ReceiveMessage}. */
    List<ReceivedMessage> received(byte[] body, int length) {
        List<ReceivedMessage> messages = new ArrayList<>(SqsLimits.MAX_PER_CALL);
        try (JsonParser json = open(body, length)) {
            while (nextMember(json)) {
                if (json.currentName().equals("Messages")) {
                    messages.clear();
                    forEach(json, () -> messages.add(message(json)));
                } else {
                    skip(json);
                }
            }
        }
        return messages;
    }

    /** Returns the result of each entry of a batch whose response has only ids. */
    List<EntryResult<Void>> accepted(byte[] body, int length, int entries) {
        BatchResults<Void> results = new BatchResults<>(entries);
        results(body, length, results, entry -> results.accepted(entry.id, BatchResults.ACCEPTED));
        return results.inOrder();
    }

    /** The result of each entry of a send. */
    List<EntryResult<SentMessage>> sent(byte[] body, int length, List<SendEntry> entries) {
        BatchResults<SentMessage> results = new BatchResults<>(entries.size());
        results(body, length, results, entry -> {
            if (entry.messageId == null) {
                return; // no result: the entry counts as missing
            }
            SentMessage sent = new SentMessage(entry.messageId, entry.sequenceNumber);
            int place = results.place(entry.id);
            results.accepted(
                    entry.id,
                    digests && place >= 0
                            ? SentDigests.check(entries.get(place), sent, entry.bodyDigest, entry.attributesDigest)
                            : new EntryResult.Accepted<>(sent));
        });
        return results.inOrder();
    }

    private ReceivedMessage message(JsonParser json) {
        String id = null;
        String receiptHandle = null;
        String body = null;
        String bodyDigest = null;
        String attributesDigest = null;
        String[] systemAttributes = NO_TEXTS;
        Map<String, MessageAttribute> attributes = Map.of();
        while (nextMember(json)) {
            switch (json.currentName()) {
                case "MessageId" -> id = text(json);
                case "ReceiptHandle" -> receiptHandle = text(json);
                case "Body" -> body = text(json);
                case "MD5OfBody" -> bodyDigest = text(json);
                case "Attributes" -> systemAttributes = texts(json);
                case "MessageAttributes" -> attributes = attributes(json);
                case "MD5OfMessageAttributes" -> attributesDigest = text(json);
                default -> skip(json);
            }
        }
        ParsedMessage message = new ParsedMessage(
                IncompleteResponseException.required("MessageId", id),
                IncompleteResponseException.required("ReceiptHandle", receiptHandle),
                IncompleteResponseException.required("Body", body),
                bodyDigest,
                systemAttributes,
                attributes,
                attributesDigest);
        if (digests) {
            message.requireDigests();
        }
        return message;
    }

    /** Alternating names and values. */
    private static String[] texts(JsonParser json) {
        String[] texts = new String[16];
        int size = 0;
        if (json.nextToken() == JsonToken.VALUE_NULL) {
            return NO_TEXTS;
        }
        requireObject(json);
        while (nextMember(json)) {
            if (size == texts.length) {
                texts = Arrays.copyOf(texts, 2 * size);
            }
            texts[size] = json.currentName();
            String value = text(json);
            if (value != null) {
                texts[size + 1] = value;
                size += 2;
            }
        }
        return Arrays.copyOf(texts, size);
    }

    private static Map<String, MessageAttribute> attributes(JsonParser json) {
        if (json.nextToken() == JsonToken.VALUE_NULL) {
            return Map.of();
        }
        requireObject(json);
        Map<String, MessageAttribute> attributes = new HashMap<>();
        while (nextMember(json)) {
            String name = json.currentName();
            if (json.nextToken() == JsonToken.VALUE_NULL) {
                throw new IncompleteResponseException("The response has a message attribute without a value");
            }
            requireObject(json);
            String type = null;
            String text = null;
            byte[] bytes = null;
            while (nextMember(json)) {
                switch (json.currentName()) {
                    case "DataType" -> type = text(json);
                    case "StringValue" -> text = text(json);
                    case "BinaryValue" -> bytes = bytes(json);
                    default -> skip(json);
                }
            }
            attributes.put(
                    name,
                    bytes != null
                            ? MessageAttribute.binary(IncompleteResponseException.required("DataType", type), bytes)
                            : MessageAttribute.text(
                                    IncompleteResponseException.required("DataType", type),
                                    IncompleteResponseException.required("StringValue", text)));
        }
        return attributes;
    }

    private static void results(byte[] body, int length, BatchResults<?> results, EntryConsumer successful) {
        List<Entry> accepted = new ArrayList<>(SqsLimits.MAX_PER_CALL);
        List<Entry> failed = new ArrayList<>();
        try (JsonParser json = open(body, length)) {
            while (nextMember(json)) {
                switch (json.currentName()) {
                    case "Successful" -> {
                        accepted.clear();
                        forEach(json, () -> accepted.add(entry(json)));
                    }
                    case "Failed" -> {
                        failed.clear();
                        forEach(json, () -> failed.add(entry(json)));
                    }
                    default -> skip(json);
                }
            }
        }
        accepted.forEach(successful::accept);
        for (Entry entry : failed) {
            results.rejected(entry.id, entry.code, entry.message, entry.senderFault);
        }
    }

    private static Entry entry(JsonParser json) {
        Entry entry = new Entry();
        while (nextMember(json)) {
            switch (json.currentName()) {
                case "Id" -> entry.id = text(json);
                case "MessageId" -> entry.messageId = text(json);
                case "SequenceNumber" -> entry.sequenceNumber = text(json);
                case "MD5OfMessageBody" -> entry.bodyDigest = text(json);
                case "MD5OfMessageAttributes" -> entry.attributesDigest = text(json);
                case "Code" -> entry.code = text(json);
                case "Message" -> entry.message = text(json);
                case "SenderFault" -> entry.senderFault = truth(json);
                default -> skip(json);
            }
        }
        return entry;
    }

    /** Limits of the content as the SDK's parser has them. */
    static JsonParser parser(byte[] bytes, int length) {
        return JSON.createParser(ObjectReadContext.empty(), bytes, 0, length);
    }

    /** Without any content the response counts as one without members, as it does in the SDK. */
    private static JsonParser open(byte[] body, int length) {
        JsonParser json = parser(body, length);
        JsonToken first = json.nextToken();
        if (first == JsonToken.VALUE_NULL) {
            throw new IllegalArgumentException("The response is null");
        }
        if (first != null) {
            requireObject(json);
        }
        return json;
    }

    /** Whether the object that the parser is in has another member; the parser stands on its name then. */
    private static boolean nextMember(JsonParser json) {
        return json.currentToken() != null && json.nextToken() == JsonToken.PROPERTY_NAME;
    }

    /** Runs for each object of the array that is the current member's value. */
    private static void forEach(JsonParser json, Runnable read) {
        if (json.nextToken() == JsonToken.VALUE_NULL) {
            return;
        }
        if (json.currentToken() != JsonToken.START_ARRAY) {
            throw new StreamReadException(json, "The response has no array where one was expected");
        }
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (json.currentToken() != JsonToken.VALUE_NULL) {
                requireObject(json);
                read.run();
            }
        }
    }

    private static void requireObject(JsonParser json) {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw new StreamReadException(json, "The response has no object where one was expected");
        }
    }

    private static @Nullable String text(JsonParser json) {
        JsonToken token = json.nextToken();
        if (token == JsonToken.VALUE_NULL) {
            return null;
        }
        if (!token.isScalarValue()) {
            throw new StreamReadException(json, "The response's " + json.currentName() + " is no text");
        }
        return json.getString();
    }

    private static byte @Nullable [] bytes(JsonParser json) {
        if (json.nextToken() == JsonToken.VALUE_NULL) {
            return null;
        }
        if (json.currentToken() != JsonToken.VALUE_STRING) {
            throw new StreamReadException(json, "The response's " + json.currentName() + " is no Base64");
        }
        return Base64.getDecoder().decode(json.getString());
    }

    private static boolean truth(JsonParser json) {
        return switch (json.nextToken()) {
            case VALUE_TRUE -> true;
            case VALUE_FALSE, VALUE_NULL -> false;
            case VALUE_STRING -> Boolean.parseBoolean(json.getString());
            default -> throw new StreamReadException(json, "The response's " + json.currentName() + " is no boolean");
        };
    }

    private static void skip(JsonParser json) {
        json.nextToken();
        json.skipChildren();
    }

    private interface EntryConsumer {
        void accept(Entry entry);
    }

    /** An entry of a batch's response, successful or failed. */
    private static final class Entry {
        private @Nullable String id;
        private @Nullable String messageId;
        private @Nullable String sequenceNumber;
        private @Nullable String bodyDigest;
        private @Nullable String attributesDigest;
        private @Nullable String code;
        private @Nullable String message;
        private boolean senderFault;
    }
}
