/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.contestants.bare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class BareMessagesTests {

    @Test
    void readsBodiesAndHandles() {
        BareMessages messages = read("""
            {"Messages":[{"MessageId":"1","ReceiptHandle":"h1","Body":"one","Attributes":{"SentTimestamp":"1"}},
            {"Body":"","MessageId":"2"},{"Body":"a \\"Body\\":\\"x\\" \\\\ \\u00fc\\n","ReceiptHandle":"h\\/2"}]}
            """);

        assertThat(messages.bodies()).containsExactly("one", "", "a \"Body\":\"x\" \\ ü\n");
        assertThat(messages.handles()).containsExactly("h1", "h\\/2");
    }

    @Test
    void readsAResponseWithoutMessages() {
        assertThat(read("{}").bodies()).isEmpty();
        assertThat(read("{\"Messages\":[]}").bodies()).isEmpty();
    }

    private static BareMessages read(String json) {
        return BareMessages.read(json.getBytes(StandardCharsets.UTF_8));
    }
}
