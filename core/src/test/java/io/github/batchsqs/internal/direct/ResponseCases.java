/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.VisibilityChange;
import io.github.batchsqs.testkit.ScriptedHttpServer.Response;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Generates responses: status × headers × body × transport, for each operation. */
final class ResponseCases {

    static final List<String> HANDLES = List.of("h0", "h1", "h2");
    static final List<VisibilityChange> CHANGES = List.of(
            new VisibilityChange("h0", Duration.ZERO),
            new VisibilityChange("h1", Duration.ofSeconds(30)),
            new VisibilityChange("h2", Duration.ofHours(1)));
    static final List<SendEntry> ENTRIES = List.of(
            new SendEntry("a", Map.of(), null, null, null),
            new SendEntry("\u00fc", Map.of("n", MessageAttribute.string("v")), null, null, null),
            new SendEntry("c", Map.of(), null, null, null));

    enum Operation {
        RECEIVE,
        DELETE,
        CHANGE_VISIBILITY,
        SEND
    }

    /**
     * The response of a server to one call.
     *
     * @param name what is special about it
     * @param responses one for each attempt; the last one to all further ones
     * @param touchesTheClock whether it may change the offset that a client signs with
     */
    record Case(Operation operation, String name, List<Response> responses, boolean touchesTheClock) {

        /** The whole case: with it a failure can be reproduced. */
        @Override
        public String toString() {
            StringBuilder text = new StringBuilder(operation + ", " + name);
            for (Response response : responses) {
                String bytes = new String(response.bytes(), StandardCharsets.ISO_8859_1);
                text.append("\n   > ")
                        .append((bytes.length() > 400 ? bytes.substring(0, 400) + "\u2026" : bytes)
                                .replace("\r\n", "\u23ce"))
                        .append(response.close() ? "[closed]" : "");
            }
            return text.toString();
        }
    }

    /** How a body gets to the client. */
    private interface Transport {
        Response of(int status, List<String> headers, byte[] body);
    }

    private static final JsonMapper MAPPER = JsonMapper.shared();

    /** No array has an element: the SDK takes the brackets of one in a map for texts, and direct calls do not read it. */
    private static final List<JsonNode> KINDS = Stream.of(
                    "null", "7", "1.50", "true", "\"x\"", "\"\"", "\"0\"", "{}", "[]", "{\"n\":{}}")
            .map(MAPPER::readTree)
            .toList();

    private static final List<String> JSON = List.of("Content-Type: application/x-amz-json-1.0");

    private static final List<String> CODES = List.of(
            "AccessDenied",
            "AccessDeniedException",
            "AuthFailure",
            "BatchRequestTooLong",
            "ExpiredToken",
            "IncompleteSignature",
            "InternalError",
            "InternalFailure",
            "InvalidAddress",
            "InvalidClientTokenId",
            "InvalidParameterValue",
            "InvalidSecurity",
            "InvalidSignatureException",
            "KmsAccessDenied",
            "KmsDisabled",
            "KmsThrottled",
            "LimitExceededException",
            "OverLimit",
            "PriorRequestNotComplete",
            "QueueDeletedRecently",
            "QueueDoesNotExist",
            "ReceiptHandleIsInvalid",
            "RequestExpired",
            "RequestThrottled",
            "RequestTimeout",
            "ServiceUnavailable",
            "SignatureDoesNotMatch",
            "SlowDown",
            "Throttling",
            "ThrottlingException",
            "UnrecognizedClientException",
            "UnsupportedOperation",
            "NeverHeardOf");

    private static final List<Integer> STATUSES =
            List.of(300, 301, 302, 304, 307, 400, 401, 403, 404, 408, 413, 429, 500, 501, 502, 503, 504, 599);

    private final Random random;
    private final List<Case> cases = new ArrayList<>();

    private ResponseCases(long seed) {
        this.random = new Random(seed);
    }

    /** Returns so many cases of all that can be generated; other seeds bring others. */
    static List<Case> generate(long seed, int count) {
        ResponseCases all = new ResponseCases(seed);
        for (Operation operation : Operation.values()) {
            all.wholeResults(operation);
            all.oddBodies(operation);
            all.lengths(operation);
            all.cuts(operation);
        }
        all.refusals();
        all.codes();
        all.retryAfter();
        all.errorTransports();
        all.mixes(200);
        Collections.shuffle(all.cases, all.random);
        all.cases.subList(Math.min(count, all.cases.size()), all.cases.size()).clear();
        for (Operation operation : Operation.values()) {
            all.oddValues(operation);
        }
        all.oddEntries();
        all.oddMessages();
        all.clocks();
        all.brokenUtf8();
        return all.cases;
    }

    // Successes

    private void wholeResults(Operation operation) {
        transports().forEach((name, transport) -> {
            for (int status : List.of(200, 201, 202, 206)) {
                add(operation, status + " " + name, transport.of(status, JSON, success(operation)));
            }
        });
        add(operation, "204", new Response(ascii("HTTP/1.1 204 None\r\n\r\n"), false));
        add(operation, "100 before", ok(operation).after("HTTP/1.1 100 Continue\r\n\r\n"));
        add(operation, "102 before", ok(operation).after("HTTP/1.1 102 Processing\r\nX: y\r\n\r\n"));
    }

    private void oddBodies(Operation operation) {
        String good = text(success(operation));
        List<String> bodies = List.of(
                "",
                " ",
                "\n\t",
                "{}",
                "{ }",
                "[]",
                "[1]",
                "7",
                "\"text\"",
                "true",
                "null",
                "{",
                "{\"",
                "{}}",
                "{\"New\":1}",
                "{\"New\":{\"a\":[1,2.5e3,{\"b\":null}]}}",
                "<html><body>Bad gateway</body></html>",
                "Service Unavailable",
                "{\"Messages\":[}",
                "{\"Messages\":[],\"Successful\":[],\"Failed\":[]}",
                "{\"New\":" + nested(600) + "}",
                "{\"New\":" + nested(990) + "}",
                "{\"New\":" + nested(1_100) + "}",
                "{\"New\":\"" + "x".repeat(100_000) + "\"}",
                "{\"" + "n".repeat(60_000) + "\":1}",
                "{\"" + "n".repeat(70_000) + "\":1}",
                "\ufeff{}",
                good + good,
                good + "trailing",
                good + "}",
                good + "\n",
                " " + good,
                good.substring(0, good.length() - 1),
                good.substring(0, good.length() / 2),
                good.replace(":", " : "),
                good.replaceFirst("\\{", "{\"ResultMetadata\":{},"),
                good.replace("\"Messages\"", "\"messages\"").replace("\"Successful\"", "\"successful\""));
        for (String body : bodies) {
            add(operation, "body " + cut(body), Response.of(200, JSON, utf8(body)));
        }
        add(operation, "UTF-16", Response.of(200, JSON, good.getBytes(StandardCharsets.UTF_16)));
        add(operation, "broken UTF-8", Response.of(200, JSON, new byte[] {'{', '"', (byte) 0xc3, '"', ':', '1', '}'}));
        add(
                operation,
                "HTML, then a result",
                Response.of(200, List.of("Content-Type: text/html"), utf8("<html>")),
                ok(operation));
        add(operation, "half, then a result", Response.of(200, JSON, utf8(good.substring(0, 12))), ok(operation));
    }

    private void lengths(Operation operation) {
        byte[] good = success(operation);
        for (long length : List.of(
                (long) good.length,
                good.length + 1L,
                good.length + 100_000L,
                good.length - 1L,
                1L,
                0L,
                Integer.MAX_VALUE - 1L,
                (long) Integer.MAX_VALUE,
                Integer.MAX_VALUE + 1L,
                5_000_000_000L,
                Long.MAX_VALUE)) {
            add(operation, "Content-Length " + length, Response.claiming(200, JSON, length, good));
            add(
                    operation,
                    "Content-Length " + length + ", half of it",
                    Response.claiming(200, JSON, length, Arrays.copyOf(good, good.length / 2)),
                    ok(operation));
            add(
                    operation,
                    "error with Content-Length " + length,
                    Response.claiming(400, JSON, length, utf8("{\"__type\":\"OverLimit\"}")));
        }
        for (String length : List.of("x", "-1", "1.5", "", "9223372036854775808")) {
            Response odd = new Response(
                    concat(
                            ascii("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + length + "\r\n\r\n"),
                            good),
                    true);
            add(operation, "Content-Length '" + length + "'", odd);
        }
    }

    private void cuts(Operation operation) {
        Response good = ok(operation);
        int whole = good.bytes().length;
        for (int length : List.of(0, 1, 12, 40, whole - success(operation).length, whole - 5, whole - 1)) {
            add(operation, "cut after " + length + " of " + whole, good.cutAfter(length));
            add(operation, "cut after " + length + " of " + whole + ", then a result", good.cutAfter(length), good);
        }
        Response spaces = Response.of(200, JSON, concat(ascii(" \r\n"), success(operation)));
        Response cut = spaces.cutAfter(spaces.bytes().length - success(operation).length);
        add(operation, "cut behind white space", cut);
        add(operation, "cut behind white space, then a result", cut, spaces);
        add(operation, "chunks without the last", Response.chunked(200, JSON, success(operation), false));
        add(
                operation,
                "a half in chunks without the last",
                Response.chunked(200, JSON, half(success(operation)), false),
                good);
        add(operation, "no HTTP", new Response(ascii("220 mail.example.com ESMTP\r\n\r\n"), true));
        add(
                operation,
                "broken chunks",
                new Response(
                        ascii("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n"), true));
    }

    /** Each value of a result as one of every kind, and left out. */
    private void oddValues(Operation operation) {
        JsonNode result = MAPPER.readTree(success(operation));
        change(result, result, text -> add(operation, "odd " + text, Response.of(200, JSON, utf8(text))));
    }

    private static void change(JsonNode root, JsonNode node, Consumer<String> changed) {
        switch (node) {
            case ObjectNode object -> {
                for (String name : List.copyOf(object.propertyNames())) {
                    JsonNode value = object.remove(name);
                    changed.accept(root.toString());
                    for (JsonNode kind : KINDS) {
                        object.set(name, kind);
                        changed.accept(root.toString());
                    }
                    object.set(name, value);
                    change(root, value, changed);
                }
            }
            case ArrayNode array -> {
                for (JsonNode kind : KINDS) {
                    array.insert(0, kind);
                    changed.accept(root.toString());
                    array.remove(0);
                }
                array.forEach(each -> change(root, each, changed));
            }
            default -> {}
        }
    }

    /** What no change of one value makes. */
    private void oddEntries() {
        for (Operation operation : List.of(Operation.DELETE, Operation.CHANGE_VISIBILITY, Operation.SEND)) {
            String first = "{\"Id\":\"0\",\"MessageId\":\"m\"}";
            for (String entries : List.of(
                    "\"Successful\":[" + first + "," + first + "]",
                    "\"Successful\":[" + first.replace("0", "10") + "]",
                    "\"Successful\":[" + first + "],\"Failed\":[" + failed("0", "InternalError", "false") + "]",
                    "\"Failed\":[" + failed("0", "x", "true") + "],\"Successful\":[" + first + "]",
                    "\"Failed\":[" + failed("0", "InternalError", "false") + "," + failed("1", "x", "true") + "]",
                    "\"Failed\":[" + failed("0", "x", "\"true\"") + "]",
                    "\"Failed\":[{},null," + failed("9", "OverLimit", "true") + "]",
                    "\"Failed\":[" + failed("0", "AWS.SimpleQueueService.InternalError", "false")
                            + "],\"New\":[[{}]]")) {
                add(operation, "entries " + entries, Response.of(200, JSON, utf8("{" + entries + "}")));
            }
        }
    }

    private void oddMessages() {
        for (String message : List.of(
                "\"Body\":\"\\u0061\"",
                "\"Body\":\"a\",\"Body\":\"b\"",
                "\"Attributes\":{\"A\":\"1\",\"A\":\"2\"}",
                "\"Body\":\"\\ud800\"",
                "\"Attributes\":{\"ApproximateReceiveCount\":3,\"SentTimestamp\":1700000000000}",
                "\"MessageAttributes\":{\"n\":{\"DataType\":\"String\",\"StringValue\":\"v\",\"StringListValues\":[],"
                        + "\"BinaryListValues\":[]}}",
                "\"MessageAttributes\":{\"n\":{\"DataType\":\"Binary\",\"BinaryValue\":\"AA\\nH/\"}}",
                "\"MessageAttributes\":{\"n\":{\"DataType\":\"Binary\",\"BinaryValue\":\"AAE\"}}")) {
            String messages = "{\"Messages\":[{\"MessageId\":\"m\",\"ReceiptHandle\":\"h\"," + message + "}]}";
            add(Operation.RECEIVE, "messages " + message, Response.of(200, JSON, utf8(messages)));
        }
    }

    // Failures

    /** The SDK's own reader reads refusals on both sides: what counts is that all of a response gets to it. */
    private void refusals() {
        for (String header : List.of(
                "x-amzn-errortype: OverLimit",
                "X-AMZN-ERRORTYPE: a#OverLimit:http://internal.amazon.com/coral/",
                "x-amzn-query-error: OverLimit",
                "x-amzn-query-error: AWS.SimpleQueueService.OverLimit;Sender",
                "x-amzn-query-error: ;Sender",
                "x-amzn-error-message: told in a header",
                "x-amzn-RequestId: 1-2-3",
                "x-amz-request-id: 1-2-3",
                "x-amz-id-2: 4-5-6")) {
            error(400, header, with(header), "{\"__type\":\"QueueDoesNotExist\",\"message\":\"m\"}");
            error(500, header, with(header), "");
        }
        for (String body : List.of(
                "",
                "{}",
                "7",
                "{\"__type\":\"com.amazonaws.sqs#AWS.SimpleQueueService.OverLimit\",\"message\":\"m\"}",
                "{\"code\":\"OverLimit\",\"Message\":\"M\"}",
                "{\"__type\":\"OverLimit\"} trailing",
                "{\"__type\":\"OverLimit\"",
                "{\"a\":" + nested(1_100) + ",\"__type\":\"OverLimit\"}",
                "<html>Bad gateway</html>",
                "\ufeff{\"__type\":\"OverLimit\"}")) {
            for (int status : List.of(400, 403, 404, 429, 500, 503)) {
                error(status, "body " + cut(body), JSON, body);
            }
        }
    }

    private void codes() {
        for (String code : CODES) {
            for (int status : List.of(400, 403, 500, 503)) {
                String body = "{\"__type\":\"com.amazonaws.sqs#" + code + "\",\"message\":\"told\"}";
                error(status, code, JSON, body);
                Operation operation = operation();
                add(
                        operation,
                        status + " " + code + ", then a result",
                        Response.of(status, JSON, utf8(body)),
                        ok(operation));
            }
        }
        for (int status : STATUSES) {
            error(status, "plain", List.of(), "");
            error(status, "html", List.of("Content-Type: text/html"), "<html/>");
            error(status, "with a location", with("Location: /elsewhere"), "{\"__type\":\"OverLimit\"}");
        }
    }

    private void retryAfter() {
        for (int status : List.of(200, 301, 400, 429, 500, 503)) {
            for (String code : List.of("ThrottlingException", "InternalError", "OverLimit")) {
                for (String header : List.of(
                        "Retry-After: 2",
                        "Retry-After: 0",
                        "Retry-After: 100000",
                        "Retry-After: 99999999999",
                        "Retry-After: 1.5",
                        "Retry-After: Wed, 21 Oct 2015 07:28:00 GMT",
                        "retry-after: 3",
                        "x-amz-retry-after: 1500",
                        "Retry-After: x")) {
                    Operation operation = operation();
                    Response refused = Response.of(status, with(header), utf8("{\"__type\":\"" + code + "\"}"));
                    add(operation, status + " " + code + " " + header, refused);
                    add(operation, status + " " + code + " " + header + ", then a result", refused, ok(operation));
                }
            }
        }
    }

    private void errorTransports() {
        for (int status : List.of(400, 403, 500, 503)) {
            byte[] body = utf8("{\"__type\":\"OverLimit\",\"message\":\"told\"}");
            transports().forEach((name, transport) -> {
                Operation operation = operation();
                add(operation, status + " " + name, transport.of(status, JSON, body));
            });
            for (int length : List.of(0, 10, 30, 90, 110)) {
                Operation operation = operation();
                Response whole = Response.of(status, with("x-amzn-query-error: QueueDeletedRecently;Sender"), body);
                add(operation, status + " cut after " + length, whole.cutAfter(length));
                add(
                        operation,
                        status + " cut after " + length + ", then a result",
                        whole.cutAfter(length),
                        ok(operation));
                Response bare = Response.of(status, List.of(), body);
                add(operation, status + " bare, cut after " + length, bare.cutAfter(length));
            }
        }
    }

    private void brokenUtf8() {
        for (String hex : List.of("ff", "c328", "c080", "eda080", "f4908080", "e282")) {
            String odd = new String(HexFormat.of().parseHex(hex), StandardCharsets.ISO_8859_1);
            byte[] refused =
                    ("{\"__type\":\"OverLimit\",\"message\":\"a" + odd + "b\"}").getBytes(StandardCharsets.ISO_8859_1);
            add(operation(), "400 with " + hex, Response.of(400, JSON, refused));
            for (String body : List.of(
                    "{\"New\":\"" + odd + "\"}",
                    "{\"" + odd + "\":1}",
                    "{\"Failed\":[{\"Id\":\"0\",\"SenderFault\":true,\"Code\":\"OverLimit\",\"Message\":\"" + odd
                            + "\"}]}")) {
                add(operation(), "200 with " + hex, Response.of(200, JSON, body.getBytes(StandardCharsets.ISO_8859_1)));
            }
        }
    }

    private void clocks() {
        for (String code : List.of(
                "SignatureDoesNotMatch",
                "InvalidSignatureException",
                "AuthFailure",
                "RequestExpired",
                "RequestTimeTooSkewed",
                "RequestInTheFuture",
                "AccessDenied",
                "InvalidSecurity",
                "")) {
            for (int status : List.of(400, 403)) {
                for (String date : List.of(
                        date(Duration.ZERO),
                        date(Duration.ofMinutes(2)),
                        date(Duration.ofMinutes(10)),
                        date(Duration.ofMinutes(-10)),
                        date(Duration.ofDays(400)),
                        "Date: yesterday",
                        "X: no date")) {
                    Operation operation = operation();
                    String body = code.isEmpty()
                            ? ""
                            : "{\"__type\":\"com.amazon.coral.service#" + code
                                    + "\",\"message\":\"Signature expired: 20260101T000000Z is now earlier than\"}";
                    Response refused = Response.of(status, with(date), utf8(body));
                    boolean heals = random.nextInt(3) > 0;
                    addClock(operation, status + " " + code + " at " + date, refused, heals ? ok(operation) : refused);
                }
            }
        }
        Operation operation = Operation.SEND;
        Response off =
                Response.of(403, with(date(Duration.ofMinutes(10))), utf8("{\"__type\":\"SignatureDoesNotMatch\"}"));
        Response on = Response.of(403, with(date(Duration.ZERO)), utf8("{\"__type\":\"SignatureDoesNotMatch\"}"));
        addClock(operation, "off, then on, then a result", off, on, ok(operation));
        addClock(operation, "on, then off", on, off);
    }

    /** Any failures one after another, and then perhaps a result. */
    private void mixes(int count) {
        List<Case> simple = cases.stream().filter(c -> !c.touchesTheClock()).toList();
        for (int i = 0; i < count; i++) {
            Case first = simple.get(random.nextInt(simple.size()));
            Case second = simple.get(random.nextInt(simple.size()));
            Operation operation = first.operation();
            List<Response> responses = new ArrayList<>();
            responses.add(first.responses().getFirst());
            responses.add(second.responses().getFirst());
            responses.add(
                    random.nextBoolean() ? ok(operation) : second.responses().getLast());
            cases.add(new Case(operation, first.name() + " + " + second.name(), responses, false));
        }
    }

    // Parts

    private static Map<String, Transport> transports() {
        Map<String, Transport> transports = new LinkedHashMap<>();
        transports.put("fixed", Response::of);
        transports.put("chunked", (status, headers, body) -> Response.chunked(status, headers, body, true));
        transports.put("until closed", Response::untilClosed);
        transports.put(
                "fixed and closed", (status, headers, body) -> Response.claiming(status, headers, body.length, body));
        return transports;
    }

    private void error(int status, String name, List<String> headers, String body) {
        add(operation(), status + " " + name, Response.of(status, headers, status == 304 ? new byte[0] : utf8(body)));
    }

    private Operation operation() {
        return Operation.values()[random.nextInt(Operation.values().length)];
    }

    private void add(Operation operation, String name, Response... responses) {
        cases.add(new Case(operation, name, List.of(responses), false));
    }

    private void addClock(Operation operation, String name, Response... responses) {
        cases.add(new Case(operation, name, List.of(responses), true));
    }

    private static Response ok(Operation operation) {
        return Response.of(200, JSON, success(operation));
    }

    private static byte[] success(Operation operation) {
        return utf8(
                switch (operation) {
                    case RECEIVE ->
                        "{\"Messages\":[{\"MessageId\":\"m\",\"ReceiptHandle\":\"h\",\"Body\":\"\u00fc\",\"MD5OfBody\":\"0\",\"Attributes\":{\"ApproximateReceiveCount\":\"2\",\"MessageGroupId\":\"g\"},"
                                + "\"MessageAttributes\":{\"n\":{\"DataType\":\"String\",\"StringValue\":\"v\"},"
                                + "\"b\":{\"DataType\":\"Binary\",\"BinaryValue\":\"AAH/\"}}}]}";
                    case DELETE, CHANGE_VISIBILITY ->
                        "{\"Successful\":[{\"Id\":\"0\"},{\"Id\":\"2\"}],\"Failed\":["
                                + failed("1", "ReceiptHandleIsInvalid", "true") + "]}";
                    case SEND ->
                        "{\"Successful\":[{\"Id\":\"0\",\"MessageId\":\"m\",\"SequenceNumber\":\"18\"}],\"Failed\":["
                                + failed("2", "InternalError", "false")
                                + "]}";
                });
    }

    private static String failed(String id, String code, String senderFault) {
        return "{\"Id\":\"" + id + "\",\"Code\":\"" + code + "\",\"Message\":\"told\",\"SenderFault\":" + senderFault
                + "}";
    }

    private static List<String> with(String... headers) {
        List<String> all = new ArrayList<>(JSON);
        all.addAll(List.of(headers));
        return all;
    }

    private static String date(Duration ahead) {
        return "Date: "
                + DateTimeFormatter.RFC_1123_DATE_TIME.format(
                        Instant.now().plus(ahead).atOffset(ZoneOffset.UTC));
    }

    private static String nested(int depth) {
        return "[".repeat(depth) + "]".repeat(depth);
    }

    private static String cut(String text) {
        return text.length() > 120 ? text.substring(0, 120) + "\u2026" + text.length() : text;
    }

    private static byte[] half(byte[] bytes) {
        return Arrays.copyOf(bytes, bytes.length / 2);
    }

    private static byte[] concat(byte[] first, byte[] second) {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(first);
        both.writeBytes(second);
        return both.toByteArray();
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
