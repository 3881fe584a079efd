/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.batch.EntryResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkClientException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads answers in one pass. Members that nobody asked for are passed over, so that SQS may add some.
 *
 * <p>An answer that is not what the protocol says throws Jackson's error; one whose digest is wrong, the SDK's.
 */
final class DirectAnswers {

    private static final JsonFactory JSON = new JsonFactory();

    private static final String[] NO_TEXTS = {};

    private final boolean digests;

    DirectAnswers(boolean digests) {
        this.digests = digests;
    }

    /** The messages of a {@code ReceiveMessage}. */
    List<ReceivedMessage> received(byte[] answer) {
        List<ReceivedMessage> messages = new ArrayList<>(10);
        try (JsonParser json = open(answer)) {
            while (nextMember(json)) {
                if (json.currentName().equals("Messages")) {
                    forEach(json, () -> messages.add(message(json)));
                } else {
                    skip(json);
                }
            }
        }
        return messages;
    }

    /** The result of each entry of a batch whose answer has nothing but ids. */
    List<EntryResult<Void>> accepted(byte[] answer, int entries) {
        BatchAnswer<Void> results = new BatchAnswer<>(entries);
        results(answer, results, entry -> results.accepted(entry.id, BatchAnswer.ACCEPTED));
        return results.inOrder();
    }

    /** The result of each entry of a send. */
    List<EntryResult<SentMessage>> sent(byte[] answer, List<SendEntry> entries) {
        BatchAnswer<SentMessage> results = new BatchAnswer<>(entries.size());
        results(answer, results, entry -> {
            if (digests) {
                checkSent(entry, entries);
            }
            SentMessage sent = new SentMessage(required("MessageId", entry.messageId), entry.sequenceNumber);
            results.accepted(entry.id, new EntryResult.Accepted<>(sent));
        });
        return results.inOrder();
    }

    private static void checkSent(Entry answered, List<SendEntry> entries) {
        for (int i = 0; i < entries.size(); i++) {
            if (AwsQueueClient.id(i).equals(answered.id)) {
                SendEntry entry = entries.get(i);
                requireDigest("message body", DirectDigests.ofBody(entry.body()), answered.bodyDigest);
                if (!entry.attributes().isEmpty()) {
                    requireDigest(
                            "message attributes",
                            DirectDigests.ofAttributes(entry.attributes()),
                            answered.attributesDigest);
                }
                return;
            }
        }
        throw SdkClientException.create("SQS answered for an entry that was not sent: '" + answered.id + "'");
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
        DirectReceivedMessage message = new DirectReceivedMessage(
                required("MessageId", id),
                required("ReceiptHandle", receiptHandle),
                required("Body", body),
                bodyDigest,
                systemAttributes,
                attributes,
                attributesDigest);
        if (digests) {
            message.requireDigests();
        }
        return message;
    }

    /** Throws if the digest that the answer names is not the one of what came. */
    static void requireDigest(String what, String calculated, @Nullable String returned) {
        if (!calculated.equals(returned)) {
            throw SdkClientException.create("The MD5 digest of the " + what + " is " + calculated
                    + ", but SQS's answer says " + returned + ": it was changed on its way");
        }
    }

    /** Names and values by turns. */
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
            requireObject(json, json.nextToken());
            String type = null;
            String text = null;
            byte[] bytes = null;
            while (nextMember(json)) {
                switch (json.currentName()) {
                    case "DataType" -> type = text(json);
                    case "StringValue" -> text = text(json);
                    case "BinaryValue" ->
                        bytes = json.nextToken() == JsonToken.VALUE_NULL ? null : json.getBinaryValue();
                    default -> skip(json);
                }
            }
            attributes.put(
                    name,
                    bytes != null
                            ? MessageAttribute.binary(required("DataType", type), bytes)
                            : MessageAttribute.text(required("DataType", type), required("StringValue", text)));
        }
        return attributes;
    }

    private static void results(byte[] answer, BatchAnswer<?> results, EntryConsumer successful) {
        List<Entry> accepted = new ArrayList<>(10);
        List<Entry> failed = new ArrayList<>();
        try (JsonParser json = open(answer)) {
            while (nextMember(json)) {
                switch (json.currentName()) {
                    case "Successful" -> forEach(json, () -> accepted.add(entry(json)));
                    case "Failed" -> forEach(json, () -> failed.add(entry(json)));
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
                case "SenderFault" -> entry.senderFault = json.nextToken() == JsonToken.VALUE_TRUE;
                default -> skip(json);
            }
        }
        return entry;
    }

    private static JsonParser open(byte[] answer) {
        JsonParser json = JSON.createParser(ObjectReadContext.empty(), answer);
        json.nextToken();
        requireObject(json);
        return json;
    }

    /** Whether the object that the parser is in has another member; the parser stands on its name then. */
    private static boolean nextMember(JsonParser json) {
        return json.nextToken() == JsonToken.PROPERTY_NAME;
    }

    /** Runs for each object of the array that is the current member's value. */
    private static void forEach(JsonParser json, Runnable read) {
        if (json.nextToken() == JsonToken.VALUE_NULL) {
            return;
        }
        if (json.currentToken() != JsonToken.START_ARRAY) {
            throw new StreamReadException(json, "The answer has no array where one was expected");
        }
        while (json.nextToken() != JsonToken.END_ARRAY) {
            requireObject(json);
            read.run();
        }
    }

    private static void requireObject(JsonParser json) {
        requireObject(json, json.currentToken());
    }

    private static void requireObject(JsonParser json, @Nullable JsonToken token) {
        if (token != JsonToken.START_OBJECT) {
            throw new StreamReadException(json, "The answer has no object where one was expected");
        }
    }

    private static @Nullable String text(JsonParser json) {
        JsonToken token = json.nextToken();
        if (token == JsonToken.VALUE_NULL) {
            return null;
        }
        if (token != JsonToken.VALUE_STRING) {
            throw new StreamReadException(json, "The answer's " + json.currentName() + " is no text");
        }
        return json.getString();
    }

    private static String required(String name, @Nullable String value) {
        if (value == null) {
            throw new StreamReadException(null, "The answer has no " + name + " where SQS always has one");
        }
        return value;
    }

    private static void skip(JsonParser json) {
        json.nextToken();
        json.skipChildren();
    }

    private interface EntryConsumer {
        void accept(Entry entry);
    }

    /** An entry of a batch's answer, successful or failed. */
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
