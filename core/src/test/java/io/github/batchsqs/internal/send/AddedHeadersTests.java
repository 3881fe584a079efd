/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.MessageAttribute;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AddedHeadersTests {

    private final Map<String, MessageAttribute> attributes = new HashMap<>();
    private final Map<String, String> headers = new LinkedHashMap<>();

    AddedHeadersTests() {
        headers.put("traceparent", "00-a-b-01");
        headers.put("tracestate", "vendor=1");
    }

    @Test
    void headersBecomeAttributes() {
        assertThat(AddedHeaders.to(attributes, headers, 1_000, 10))
                .containsEntry("traceparent", MessageAttribute.string("00-a-b-01"))
                .containsEntry("tracestate", MessageAttribute.string("vendor=1"));
    }

    @Test
    void theLimitOfTenAttributesLeavesOutWhatIsLessImportant() {
        fill(9);
        assertThat(AddedHeaders.to(attributes, headers, 1_000, 10))
                .hasSize(10)
                .containsKey("traceparent")
                .doesNotContainKey("tracestate");
        fill(10);
        assertThat(AddedHeaders.to(attributes, headers, 1_000, 10)).isEqualTo(attributes);
    }

    @Test
    void whatDoesNotFitIntoTheBytesIsLeftOut() {
        int room = MessageAttribute.string("00-a-b-01").sizeInBytes("traceparent");
        assertThat(AddedHeaders.to(attributes, headers, room, 10)).containsOnlyKeys("traceparent");
        assertThat(AddedHeaders.to(attributes, headers, 10, 10)).isEmpty();
    }

    @Test
    void anAttributeOfTheMessageStays() {
        attributes.put("traceparent", MessageAttribute.string("own"));
        assertThat(AddedHeaders.to(attributes, headers, 1_000, 10))
                .containsEntry("traceparent", MessageAttribute.string("own"));
    }

    private void fill(int count) {
        for (int i = 0; i < count; i++) {
            attributes.put("a" + i, MessageAttribute.string("x"));
        }
    }
}
