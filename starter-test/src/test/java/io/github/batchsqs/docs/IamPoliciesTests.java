/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.docs.Page.Fence;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.util.StringUtils;
import software.amazon.awssdk.services.sqs.SqsClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The policies on the pages have the form that IAM demands, and permit the calls that the library makes. */
class IamPoliciesTests {

    /** Those of SQS; a call of many messages needs the permission for one. */
    private static final Set<String> SQS_ACTIONS = Arrays.stream(SqsClient.class.getMethods())
            .map(Method::getName)
            .map(StringUtils::capitalize)
            .collect(Collectors.toCollection(TreeSet::new));

    /** The actions that a role needs, behind the {@code Sid} of its statement. */
    private static final String NEEDED = """
        Receive sqs:GetQueueUrl sqs:GetQueueAttributes sqs:ReceiveMessage sqs:DeleteMessage sqs:ChangeMessageVisibility
        DeadLetters sqs:GetQueueUrl sqs:GetQueueAttributes sqs:SendMessage
        Send sqs:GetQueueUrl sqs:SendMessage
        Source sqs:GetQueueUrl sqs:GetQueueAttributes
        Move sqs:StartMessageMoveTask sqs:ListDeadLetterSourceQueues \
        sqs:GetQueueUrl sqs:GetQueueAttributes sqs:ReceiveMessage sqs:DeleteMessage
        Destination sqs:GetQueueUrl sqs:GetQueueAttributes sqs:SendMessage
        Scale sqs:GetQueueAttributes
        Key kms:Decrypt kms:GenerateDataKey
        StorePayloads s3:PutObject s3:DeleteObject
        FetchPayloads s3:GetObject s3:DeleteObject
        FindLostPayloads s3:ListBucket
        """;

    static List<Fence> policies() {
        return Page.fences("json").stream()
                .filter(fence -> fence.place().startsWith("docs/iam.md:"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void everyPolicyIsOneForIam(Fence fence) {
        JsonNode policy = JsonMapper.shared().readTree(fence.text());
        assertThat(policy.path("Version").asString()).isEqualTo("2012-10-17");
        assertThat(statements(fence)).isNotEmpty().allSatisfy(statement -> {
            assertThat(statement.path("Effect").asString()).isEqualTo("Allow");
            assertThat(statement.path("Resource").asString())
                    .matches("arn:aws:((sqs|kms):[a-z0-9-]+:[0-9]{12}:\\S+|s3:::\\S+)");
            assertThat(actions(statement)).isNotEmpty();
        });
    }

    @Test
    void everyStatementPermitsWhatItsRoleNeedsAndNothingElse() {
        Map<String, Set<String>> permitted = policies().stream()
                .flatMap(fence -> statements(fence).stream())
                .collect(Collectors.toMap(
                        statement -> statement.path("Sid").asString(), statement -> Set.copyOf(actions(statement))));
        assertThat(permitted)
                .isEqualTo(NEEDED.lines()
                        .map(line -> List.of(line.split(" ", -1)))
                        .collect(Collectors.toMap(List::getFirst, line -> Set.copyOf(line.subList(1, line.size())))));
    }

    @Test
    void thePoliciesPermitTheCallsOfTheLibraryAndNoOthers() {
        Set<String> calls = Sources.literals().stream()
                .flatMap(Collection::stream)
                .filter(SQS_ACTIONS::contains)
                .map(call -> "sqs:" + call.replaceFirst("Batch$", ""))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> permitted = policies().stream()
                .flatMap(fence -> statements(fence).stream())
                .flatMap(statement -> actions(statement).stream())
                .filter(action -> action.startsWith("sqs:"))
                .collect(Collectors.toCollection(TreeSet::new));
        permitted.add("sqs:CreateQueue"); // in the text, for development
        assertThat(permitted).isEqualTo(calls);
    }

    private static List<JsonNode> statements(Fence fence) {
        return JsonMapper.shared()
                .readTree(fence.text())
                .path("Statement")
                .valueStream()
                .toList();
    }

    private static List<String> actions(JsonNode statement) {
        JsonNode action = statement.path("Action");
        return action.isArray() ? action.valueStream().map(JsonNode::asString).toList() : List.of(action.asString());
    }
}
