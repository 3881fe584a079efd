/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.docs.Page.Fence;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The templates that create queues are well-formed, and what they refer to exists in them. CloudFormation is parsed as YAML, the
 * commands' attributes as JSON. Of Terraform, blocks and arguments are recognized line by line; of TypeScript, brackets and texts.
 */
class QueueTemplatesTests {

    private static final Pattern LITERAL = Pattern.compile("\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)*'");
    private static final Pattern HCL_LINE = Pattern.compile("resource \"\" \"\" \\{|[a-z_A-Z]+ += .+|[})]+|");
    private static final Pattern ATTRIBUTES = Pattern.compile("--attributes '(\\{.*?\\})'", Pattern.DOTALL);

    @Test
    void theCloudFormationIsYamlWhoseReferencesExist() {
        Fence fence = template("yaml");
        Map<?, ?> resources = map(map(new Yaml().load(fence.text())).get("Resources"));
        assertThat(resources).hasSize(2).allSatisfy((name, resource) -> {
            Map<?, ?> queue = map(resource);
            assertThat(queue.get("Type")).isEqualTo("AWS::SQS::Queue");
            Object redrive = map(queue.get("Properties")).get("RedrivePolicy");
            if (redrive != null) {
                Object target = map(map(redrive).get("deadLetterTargetArn")).get("Fn::GetAtt");
                assertThat(((List<?>) Objects.requireNonNull(target)).getFirst())
                        .isIn(resources.keySet());
            }
        });
    }

    @Test
    void theTerraformHasBlocksAndArgumentsWhoseReferencesExist() {
        Fence fence = template("hcl");
        assertThat(unbalanced(fence.text())).isEmpty();
        assertThat(LITERAL.matcher(fence.text()).replaceAll("\"\"").lines().map(String::strip))
                .allMatch(line -> HCL_LINE.matcher(line).matches());
        Set<String> names = found("resource \"aws_sqs_queue\" \"(\\w+)\"", fence.text());
        assertThat(names).hasSize(2).containsAll(found("aws_sqs_queue\\.(\\w+)\\.arn", fence.text()));
    }

    @Test
    void theTypeScriptIsBalancedAndItsFieldsExist() {
        Fence fence = template("typescript");
        assertThat(unbalanced(fence.text())).isEmpty();
        assertThat(found("readonly (\\w+) =", fence.text()))
                .hasSize(2)
                .containsAll(found("this\\.(\\w+)", fence.text()));
    }

    @Test
    void theAttributesOfTheCommandsAreJson() {
        List<String> attributes = Page.fences("bash").stream()
                .flatMap(fence -> ATTRIBUTES.matcher(fence.text()).results())
                .map(found -> found.group(1))
                .toList();
        assertThat(attributes).hasSizeGreaterThanOrEqualTo(3).allSatisfy(each -> {
            JsonNode policy = JsonMapper.shared().readTree(each).path("RedrivePolicy");
            if (!policy.isMissingNode()) {
                JsonNode redrive = JsonMapper.shared().readTree(policy.asString());
                assertThat(redrive.path("deadLetterTargetArn").asString()).startsWith("arn:aws:sqs:");
                assertThat(redrive.path("maxReceiveCount").asInt()).isGreaterThan(1);
            }
        });
    }

    private static Fence template(String language) {
        return Page.fences(language).stream()
                .filter(fence -> fence.place().startsWith("docs/queues.md:"))
                .findFirst()
                .orElseThrow();
    }

    private static Map<?, ?> map(@Nullable Object value) {
        return (Map<?, ?>) Objects.requireNonNull(value);
    }

    private static Set<String> found(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map((MatchResult each) -> each.group(1))
                .collect(Collectors.toSet());
    }

    /** The brackets outside of texts that nothing closes. */
    private static Deque<Character> unbalanced(String text) {
        Deque<Character> open = new ArrayDeque<>();
        for (char each : LITERAL.matcher(text).replaceAll("").toCharArray()) {
            if ("([{".indexOf(each) >= 0) {
                open.push(each);
            } else if (")]}".indexOf(each) >= 0
                    && (open.isEmpty() || "([{".indexOf(open.pop()) != ")]}".indexOf(each))) {
                open.push(each);
                return open;
            }
        }
        return open;
    }
}
