/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Changes what batch calls and their answers say. */
final class BatchRewrite {

    private static final JsonMapper JSON = JsonMapper.shared();

    private BatchRewrite() {}

    /** The ids of some entries of a batch call, at least one. */
    static Set<String> some(byte[] request, Random random) {
        ArrayNode entries = array(object(request), "Entries");
        Set<String> ids = new HashSet<>();
        for (JsonNode entry : entries) {
            if (random.nextInt(3) == 0) {
                ids.add(entry.path("Id").asString());
            }
        }
        if (ids.isEmpty()) {
            ids.add(entries.get(random.nextInt(entries.size())).path("Id").asString());
        }
        return ids;
    }

    static int entries(byte[] request) {
        return array(object(request), "Entries").size();
    }

    /** The call without these entries. */
    static byte[] without(byte[] request, Set<String> ids) {
        ObjectNode call = object(request);
        call.set("Entries", others(array(call, "Entries"), ids));
        return JSON.writeValueAsBytes(call);
    }

    /** An answer of a call without entries. */
    static byte[] empty() {
        return "{\"Successful\":[],\"Failed\":[]}".getBytes(StandardCharsets.UTF_8);
    }

    /** The answer in which these entries were refused, whatever it said of them. */
    static byte[] refused(byte[] answer, Set<String> ids, String code, boolean senderFault) {
        ObjectNode changed = object(answer);
        changed.set("Successful", others(array(changed, "Successful"), ids));
        ArrayNode failed = others(array(changed, "Failed"), ids);
        for (String id : ids) {
            failed.addObject()
                    .put("Id", id)
                    .put("Code", code)
                    .put("Message", "by a test's wish")
                    .put("SenderFault", senderFault);
        }
        changed.set("Failed", failed);
        return JSON.writeValueAsBytes(changed);
    }

    /** The answer in which these entries were accepted as well. */
    static byte[] accepted(byte[] answer, Set<String> ids) {
        ObjectNode changed = object(answer);
        ArrayNode successful = others(array(changed, "Successful"), ids);
        ids.forEach(id -> successful.addObject().put("Id", id));
        changed.set("Successful", successful);
        return JSON.writeValueAsBytes(changed);
    }

    /** The answer of a receive in which one message stands twice; the same one if it has none. */
    static byte[] twice(byte[] answer, Random random) {
        ObjectNode changed = object(answer);
        ArrayNode messages = array(changed, "Messages");
        if (messages.isEmpty()) {
            return answer;
        }
        messages.add(messages.get(random.nextInt(messages.size())));
        changed.set("Messages", messages);
        return JSON.writeValueAsBytes(changed);
    }

    private static ObjectNode object(byte[] json) {
        return (ObjectNode) JSON.readTree(json);
    }

    private static ArrayNode array(ObjectNode object, String name) {
        return object.path(name) instanceof ArrayNode array ? array : JSON.createArrayNode();
    }

    private static ArrayNode others(ArrayNode entries, Set<String> ids) {
        ArrayNode others = JSON.createArrayNode();
        for (JsonNode entry : entries) {
            if (!ids.contains(entry.path("Id").asString())) {
                others.add(entry);
            }
        }
        return others;
    }
}
