/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.contestants.bare;

import io.github.batchsqs.benchmarks.run.Sending;
import io.github.batchsqs.benchmarks.run.Target;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;

/** The three calls on a queue over one connection; the JSON is written without escapes, which no value here needs. */
final class BareQueue {

    private static final int MOST = 10;

    private final BareConnection connection;
    private final boolean fifo;
    private final byte[] receive;
    private final String entries;

    BareQueue(Target target) throws IOException, GeneralSecurityException {
        this.connection = new BareConnection(target.endpoint());
        this.fifo = target.queue().endsWith(".fifo");
        String start = "{\"QueueUrl\":\"" + target.url() + "\",";
        this.receive = bytes(start + "\"MaxNumberOfMessages\":10,\"WaitTimeSeconds\":20,"
                + "\"MessageSystemAttributeNames\":[\"All\"],\"MessageAttributeNames\":[\"All\"]}");
        this.entries = start + "\"Entries\":[";
    }

    BareMessages receive() throws IOException, GeneralSecurityException {
        return BareMessages.read(connection.call("ReceiveMessage", receive));
    }

    void delete(List<String> handles) throws IOException, GeneralSecurityException {
        StringBuilder json = new StringBuilder(entries);
        for (int i = 0; i < handles.size(); i++) {
            json.append(i == 0 ? "" : ",").append("{\"Id\":\"").append(i);
            json.append("\",\"ReceiptHandle\":\"").append(handles.get(i)).append("\"}");
        }
        call("DeleteMessageBatch", json);
    }

    /** Sends ten. */
    void send(Sending.Load load, int first) throws IOException, GeneralSecurityException {
        StringBuilder json = new StringBuilder(entries);
        for (int i = 0; i < MOST; i++) {
            json.append(i == 0 ? "" : ",").append("{\"Id\":\"").append(i);
            json.append("\",\"MessageBody\":\"").append(load.body(first + i)).append('"');
            if (fifo) {
                json.append(",\"MessageGroupId\":\"").append(load.group(first + i));
                json.append("\",\"MessageDeduplicationId\":\"").append(load.first() + first + i);
                json.append('"');
            }
            json.append('}');
        }
        call("SendMessageBatch", json);
    }

    private void call(String operation, StringBuilder json) throws IOException, GeneralSecurityException {
        byte[] response = connection.call(operation, bytes(json.append("]}").toString()));
        String text = new String(response, StandardCharsets.ISO_8859_1);
        if (text.contains("\"Failed\":[{")) {
            throw new IOException(text);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
