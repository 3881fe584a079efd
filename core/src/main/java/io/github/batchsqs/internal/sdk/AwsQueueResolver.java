/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.sdk;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.client.QueueAttributes.RedrivePolicy;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.QueueNotFoundException;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.internal.support.SqsErrors;
import io.github.batchsqs.internal.support.SqsLimits;
import io.github.batchsqs.internal.support.UserInformation;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlRequest;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueNameExistsException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Finds queues with the blocking client of the AWS SDK.
 *
 * <p>A name is looked up in the account of the credentials, an ARN in the account that it names, both by {@code
 * GetQueueUrl}. A URL is used as it is, but the queue's attributes are read once, so that a wrong URL is detected at
 * start. A URL or ARN of a region other than the client's is refused: calls would go to the client's region, and there
 * may be a queue of the same name. Needs {@code sqs:GetQueueUrl} and {@code sqs:GetQueueAttributes}, and {@code
 * sqs:CreateQueue} for {@link #create}.
 *
 * @param sqs the client; its owner closes it
 */
public record AwsQueueResolver(SqsClient sqs) implements QueueResolver {

    private static final Pattern ARN = Pattern.compile("arn:[a-z0-9-]+:sqs:([a-z0-9-]+):([0-9]{12}):([^:]+)");
    private static final Pattern AWS_HOST = Pattern.compile("(?:.+\\.)?sqs(?:-fips)?\\.([a-z0-9-]+)\\.(?:vpce\\.)?"
            + "(?:amazonaws\\.com(?:\\.cn)?|api\\.aws|api\\.amazonwebservices\\.com\\.cn)");
    private static final List<QueueAttributeName> SETTINGS =
            List.of(QueueAttributeName.VISIBILITY_TIMEOUT, QueueAttributeName.REDRIVE_POLICY);
    private static final List<QueueAttributeName> COUNTS = List.of(
            QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
            QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE,
            QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED);
    private static final JsonMapper JSON = JsonMapper.shared();

    @Override
    public Queue resolve(String nameUrlOrArn) throws InterruptedException {
        if (nameUrlOrArn.startsWith("https://") || nameUrlOrArn.startsWith("http://")) {
            return byUrl(nameUrlOrArn);
        }
        if (nameUrlOrArn.startsWith("arn:")) {
            return byArn(nameUrlOrArn);
        }
        return byName(nameUrlOrArn, requireName(nameUrlOrArn, nameUrlOrArn), null);
    }

    @Override
    public Queue create(String name) throws InterruptedException {
        requireName(name, name);
        Map<QueueAttributeName, String> attributes =
                name.endsWith(".fifo") ? Map.of(QueueAttributeName.FIFO_QUEUE, "true") : Map.of();
        try {
            String url = CallFailures.call(
                    "CreateQueue",
                    name,
                    () -> sqs.createQueue(request -> request.queueName(name)
                                    .attributes(attributes)
                                    .overrideConfiguration(RetriedLookUps::of))
                            .queueUrl());
            return new Queue(name, url);
        } catch (QueueCallException e) {
            if (e.getCause() instanceof QueueNameExistsException) {
                return byName(name, name, null); // it exists, with other attributes
            }
            throw e;
        }
    }

    @Override
    public QueueAttributes attributes(Queue queue) throws InterruptedException {
        Map<QueueAttributeName, String> attributes = read(queue, queue.name(), SETTINGS);
        String timeout = attributes.get(QueueAttributeName.VISIBILITY_TIMEOUT);
        String redrive = attributes.get(QueueAttributeName.REDRIVE_POLICY);
        return new QueueAttributes(
                timeout == null ? Duration.ofSeconds(30) : Duration.ofSeconds(Long.parseLong(timeout)),
                redrive == null || redrive.isEmpty() ? null : redrivePolicy(queue, redrive));
    }

    @Override
    public long depth(Queue queue) throws InterruptedException {
        Map<QueueAttributeName, String> counts = read(queue, queue.name(), COUNTS);
        if (!counts.containsKey(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES)) {
            throw new QueueCallException(
                    "GetQueueAttributes",
                    "UnreadableResponse",
                    "The response does not count the messages of the queue '" + queue.name() + "'",
                    true,
                    null);
        }
        return counts.values().stream().mapToLong(Long::parseLong).sum();
    }

    private Queue byUrl(String url) throws InterruptedException {
        Queue queue = parseUrl(url);
        read(queue, url, SETTINGS);
        return queue;
    }

    private Queue parseUrl(String url) {
        URI uri;
        try {
            uri = URI.create(url);
        } catch (IllegalArgumentException e) {
            throw malformed(
                    url, "is not a URL: " + String.valueOf(e.getMessage()).replace(url, UserInformation.mask(url)));
        }
        String path = uri.getPath();
        if (uri.getHost() == null || path == null) {
            throw malformed(url, "is a URL without host and path");
        }
        Matcher host = AWS_HOST.matcher(uri.getHost());
        if (host.matches()) {
            requireRegion(url, host.group(1));
        }
        return new Queue(requireName(url, path.substring(path.lastIndexOf('/') + 1)), url);
    }

    private Queue byArn(String arn) throws InterruptedException {
        Matcher parts = ARN.matcher(arn);
        if (!parts.matches()) {
            throw malformed(arn, "is not the ARN of an SQS queue");
        }
        requireRegion(arn, parts.group(1));
        return byName(arn, requireName(arn, parts.group(3)), parts.group(2));
    }

    private Queue byName(String asked, String name, @Nullable String account) throws InterruptedException {
        GetQueueUrlRequest request = GetQueueUrlRequest.builder()
                .queueName(name)
                .queueOwnerAWSAccountId(account)
                .overrideConfiguration(RetriedLookUps::of)
                .build();
        return new Queue(
                name, call("GetQueueUrl", asked, () -> sqs.getQueueUrl(request)).queueUrl());
    }

    private Map<QueueAttributeName, String> read(Queue queue, String asked, List<QueueAttributeName> names)
            throws InterruptedException {
        return call(
                        "GetQueueAttributes",
                        asked,
                        () -> sqs.getQueueAttributes(request -> request.queueUrl(queue.url())
                                .attributeNames(names)
                                .overrideConfiguration(RetriedLookUps::of)))
                .attributes();
    }

    private static RedrivePolicy redrivePolicy(Queue queue, String json) {
        try {
            JsonNode policy = JSON.readTree(json);
            String arn = policy.get("deadLetterTargetArn").asString();
            int maxReceiveCount = policy.get("maxReceiveCount").asInt(); // a number, or a number in quotes
            // SQS wants both queues in one account and region; servers for development have ARNs of their own
            String base = queue.url().substring(0, queue.url().lastIndexOf('/') + 1);
            return new RedrivePolicy(base + arn.substring(arn.lastIndexOf(':') + 1), maxReceiveCount);
        } catch (JacksonException | NullPointerException e) {
            throw new QueueCallException(
                    "GetQueueAttributes",
                    "UnreadableResponse",
                    "The redrive policy of the queue '" + queue.name() + "' cannot be read: " + json,
                    false,
                    e);
        }
    }

    private static String requireName(String asked, String name) {
        if (!SqsLimits.QUEUE_NAME.matcher(name).matches()) {
            throw malformed(asked, "has the name '" + name + "', which no queue can have");
        }
        return name;
    }

    private void requireRegion(String asked, String region) {
        String own = sqs.serviceClientConfiguration().region().id();
        if (!own.equals(region)) {
            throw new BatchSqsException("The queue '" + UserInformation.mask(asked) + "' is in the region " + region
                    + ", but the SQS client is configured for " + own + "; set client to one that is configured for "
                    + region + ", or name a queue of " + own);
        }
    }

    private static BatchSqsException malformed(String asked, String what) {
        return new BatchSqsException(
                "The queue '" + UserInformation.mask(asked) + "' " + what + "; a queue is given by its name ("
                        + SqsLimits.QUEUE_NAME_RULE + "), its URL (https://host/account/name) or its"
                        + " ARN (arn:aws:sqs:region:account:name)");
    }

    private static <T> T call(String operation, String asked, SdkCall<T> call) throws InterruptedException {
        try {
            return CallFailures.call(operation, UserInformation.mask(asked), call);
        } catch (QueueCallException failure) {
            if (failure.code().equals(SqsErrors.NO_SUCH_QUEUE)) {
                throw new QueueNotFoundException(asked, failure);
            }
            throw failure;
        }
    }
}
