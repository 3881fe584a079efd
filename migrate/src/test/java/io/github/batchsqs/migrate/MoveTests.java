/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.openrewrite.java.Assertions.java;
import static org.openrewrite.properties.Assertions.properties;
import static org.openrewrite.yaml.Assertions.yaml;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openrewrite.Recipe;
import org.openrewrite.config.CompositeRecipe;
import org.openrewrite.config.Environment;
import org.openrewrite.java.JavaParser;
import org.openrewrite.test.RecipeSpec;
import org.openrewrite.test.RewriteTest;
import org.openrewrite.test.SourceSpecs;

/** Listeners and senders as applications of Spring Cloud AWS have them. Each moved file is compiled against this library. */
class MoveTests implements RewriteTest {

    @TempDir
    private Path classes;

    @Override
    public void defaults(RecipeSpec spec) {
        Recipe settings = Environment.builder()
                .scanRuntimeClasspath("io.github.batchsqs.migrate")
                .build()
                .activateRecipes("io.github.batchsqs.migrate.MoveSettings");
        spec.recipe(new CompositeRecipe(List.of(new MoveListeners(), new MoveSends(), settings)))
                .parser(JavaParser.fromJavaVersion().classpath(JavaParser.runtimeClasspath()));
    }

    @Test
    void movesABatchWithAllItsAttributes() {
        rewriteRun(moved("""
                import io.awspring.cloud.sqs.annotation.SqsListener;
                import java.util.List;
                import org.springframework.messaging.Message;

                class Orders {

                    /** Stores orders. */
                    @SqsListener(
                            queueNames = {"orders", "${more.orders}"},
                            id = "orders",
                            maxConcurrentMessages = "200",
                            maxMessagesPerPoll = "50",
                            pollTimeoutSeconds = "2",
                            messageVisibilitySeconds = "60",
                            acknowledgementMode = "ON_SUCCESS")
                    void handle(List<Message<String>> orders) {}
                }
                """, """
                import java.util.List;

                import io.github.batchsqs.annotation.BatchSqsListener;
                import org.springframework.messaging.Message;

                class Orders {

                    /** Stores orders. */
                    // BatchSQS: pollTimeoutSeconds is the setting batchsqs.listeners.<id>.wait-time: 2s
                    @BatchSqsListener(
                            queue = {"orders", "${more.orders}"},
                            id = "orders",
                            concurrency = "4",
                            batchSize = "50",
                            batchLinger = "200ms",
                            visibilityTimeout = "60s",
                            acknowledgeMode = "on-success")
                    void handle(List<Message<String>> orders) {}
                }
                """));
    }

    @Test
    void movesListenersOfOneMessage() {
        rewriteRun(moved("""
                import io.awspring.cloud.sqs.annotation.SqsListener;
                import io.awspring.cloud.sqs.annotation.SqsListenerAcknowledgementMode;
                import io.awspring.cloud.sqs.listener.Visibility;
                import io.awspring.cloud.sqs.listener.acknowledgement.Acknowledgement;
                import java.util.concurrent.CompletableFuture;

                class Approvals {

                    @SqsListener("approvals")
                    void approve(String order, Visibility visibility) {
                        visibility.changeTo(120);
                    }

                    @SqsListener(value = "refunds", maxConcurrentMessages = "${refunds}", maxMessagesPerPoll = "5",
                            messageVisibilitySeconds = "${visible}", acknowledgementMode = SqsListenerAcknowledgementMode.MANUAL)
                    CompletableFuture<Void> refund(String order, Acknowledgement acknowledgement) {
                        return acknowledgement.acknowledgeAsync();
                    }
                }
                """, """
                import io.github.batchsqs.Acknowledgement;
                import io.github.batchsqs.Visibility;
                import io.github.batchsqs.annotation.BatchSqsListener;

                import java.time.Duration;
                import java.util.concurrent.CompletableFuture;

                class Approvals {

                    @BatchSqsListener(queue = "approvals")
                    void approve(String order, Visibility visibility) {
                        // BatchSQS: makes a lease longer, never shorter; nack(Duration) returns a message sooner
                        visibility.changeTo(Duration.ofSeconds(120));
                    }

                    @BatchSqsListener(queue = "refunds", concurrency = "${refunds}",
                            visibilityTimeout = "${visible}s", acknowledgeMode = "manual")
                    CompletableFuture<Void> refund(String order, Acknowledgement acknowledgement) {
                        return acknowledgement.acknowledge();
                    }
                }
                """));
    }

    @Test
    void movesTheAcknowledgementOfABatch() {
        rewriteRun(moved("""
                import io.awspring.cloud.sqs.annotation.SqsListener;
                import io.awspring.cloud.sqs.listener.acknowledgement.BatchAcknowledgement;
                import java.util.List;

                class Statements {

                    @SqsListener(queueNames = "statements", maxConcurrentMessages = "15", acknowledgementMode = "MANUAL")
                    void handle(List<String> orders, BatchAcknowledgement<String> acknowledgement) {
                        acknowledgement.acknowledge();
                    }
                }
                """, """
                import io.github.batchsqs.Acknowledgement;
                import io.github.batchsqs.annotation.BatchSqsListener;

                import java.util.List;

                class Statements {

                    @BatchSqsListener(queue = "statements", concurrency = "2", acknowledgeMode = "manual")
                    void handle(List<String> orders, Acknowledgement acknowledgement) {
                        acknowledgement.acknowledge();
                    }
                }
                """));
    }

    @Test
    void keepsFilesWithListenersThatDoNotMapAndSaysWhy() {
        rewriteRun(moved("""
                        import io.awspring.cloud.sqs.annotation.SqsListener;
                        import io.awspring.cloud.sqs.listener.QueueAttributes;
                        import io.awspring.cloud.sqs.listener.acknowledgement.BatchAcknowledgement;
                        import java.util.List;
                        import org.springframework.messaging.Message;

                        class Prices {

                            private static final String SECONDS = "3";

                            @SqsListener(value = "prices", factory = "priceFactory")
                            void handle(String price) {}

                            @SqsListener(value = "texts", messageVisibilitySeconds = SECONDS)
                            String answer(String text, QueueAttributes queue) {
                                return text;
                            }

                            @SqsListener(value = "parts", maxConcurrentMessages = "${places}")
                            void parts(List<Message<String>> parts, BatchAcknowledgement<String> acknowledgement) {
                                acknowledgement.acknowledge(parts);
                            }

                            @SqsListener(value = "slow", pollTimeoutSeconds = "2")
                            void slow(String text) {}
                        }
                        """, """
                        import io.awspring.cloud.sqs.annotation.SqsListener;
                        import io.awspring.cloud.sqs.listener.QueueAttributes;
                        import io.awspring.cloud.sqs.listener.acknowledgement.BatchAcknowledgement;
                        import java.util.List;
                        import org.springframework.messaging.Message;

                        class Prices {

                            private static final String SECONDS = "3";

                            // BatchSQS: not moved: options of the factory become settings, batchsqs.listeners.<id>.*
                            @SqsListener(value = "prices", factory = "priceFactory")
                            void handle(String price) {}

                            // BatchSQS: not moved: a handler returns void, BatchOutcome, or a CompletionStage of either
                            // BatchSQS: not moved: there is no parameter QueueAttributes
                            // BatchSQS: not moved: messageVisibilitySeconds is not literal
                            @SqsListener(value = "texts", messageVisibilitySeconds = SECONDS)
                            String answer(String text, QueueAttributes queue) {
                                return text;
                            }

                            // BatchSQS: not moved: maxConcurrentMessages is no number: concurrency × batchSize = maxConcurrentMessages
                            @SqsListener(value = "parts", maxConcurrentMessages = "${places}")
                            void parts(List<Message<String>> parts, BatchAcknowledgement<String> acknowledgement) {
                                // BatchSQS: not moved: acknowledge a part of a batch by List<SqsMessage<T>>, and return the others with nack
                                acknowledgement.acknowledge(parts);
                            }

                            @SqsListener(value = "slow", pollTimeoutSeconds = "2")
                            void slow(String text) {}
                        }
                        """), moved("""
                        import io.awspring.cloud.sqs.annotation.SqsHandler;
                        import io.awspring.cloud.sqs.annotation.SqsListener;

                        @SqsListener("events")
                        class Events {

                            @SqsHandler
                            void handle(String event) {}
                        }
                        """, """
                        import io.awspring.cloud.sqs.annotation.SqsHandler;
                        import io.awspring.cloud.sqs.annotation.SqsListener;

                        // BatchSQS: not moved: a class needs the settings payload.type-header and payload.types
                        @SqsListener("events")
                        class Events {

                            @SqsHandler
                            void handle(String event) {}
                        }
                        """), java("""
                        import io.awspring.cloud.sqs.annotation.SqsListener;

                        @SqsListener
                        @interface EventListener {}
                        """, """
                        import io.awspring.cloud.sqs.annotation.SqsListener;

                        // BatchSQS: not moved: write it with @BatchSqsListener as its meta-annotation
                        @SqsListener
                        @interface EventListener {}
                        """));
    }

    @Test
    void commentsOnBeansThatItsListenersDoNotUse() {
        rewriteRun(moved("""
                import io.awspring.cloud.sqs.listener.errorhandler.AsyncErrorHandler;
                import io.awspring.cloud.sqs.listener.errorhandler.ExponentialBackoffErrorHandler;

                class Hooks {

                    AsyncErrorHandler<Object> retries() {
                        return ExponentialBackoffErrorHandler.builder().build();
                    }
                }
                """, """
                import io.awspring.cloud.sqs.listener.errorhandler.AsyncErrorHandler;
                import io.awspring.cloud.sqs.listener.errorhandler.ExponentialBackoffErrorHandler;

                class Hooks {

                    // BatchSQS: not applied to its listeners: use an ErrorHook, or advice around the listener's bean
                    AsyncErrorHandler<Object> retries() {
                        return ExponentialBackoffErrorHandler.builder().build();
                    }
                }
                """));
    }

    @Test
    void movesSends() {
        rewriteRun(moved("""
                import io.awspring.cloud.sqs.operations.SqsOperations;
                import io.awspring.cloud.sqs.operations.SqsTemplate;
                import java.util.List;

                class Shop {

                    private final SqsTemplate sqs;

                    Shop(SqsTemplate sqs) {
                        this.sqs = sqs;
                    }

                    void place(String order, List<String> others) {
                        sqs.send("orders", order);
                        this.sqs.sendAsync("orders", order);
                        sqs.send(to -> to.queue("orders.fifo")
                                .payload(order)
                                .header("tenant", "acme")
                                .messageGroupId("anna")
                                .delaySeconds(5));
                        others.forEach(other -> sqs.send("orders", other));
                    }

                    void place(SqsOperations sqs) {
                        sqs.send("orders", "tea");
                    }
                }
                """, """
                import io.github.batchsqs.send.BatchSqsOperations;
                import io.github.batchsqs.send.OutgoingMessage;

                import java.time.Duration;
                import java.util.List;

                class Shop {

                    // BatchSQS: sends no attribute JavaType, which @SqsHandler methods of receivers need
                    private final BatchSqsOperations sqs;

                    Shop(BatchSqsOperations sqs) {
                        this.sqs = sqs;
                    }

                    void place(String order, List<String> others) {
                        sqs.send("orders", order).join();
                        this.sqs.send("orders", order);
                        sqs.send(OutgoingMessage.builder("orders.fifo", order).attribute("tenant", "acme").groupId("anna").delay(Duration.ofSeconds(5)).build()).join();
                        others.forEach(other -> sqs.send("orders", other).join());
                    }

                    void place(BatchSqsOperations sqs) {
                        sqs.send("orders", "tea").join();
                    }
                }
                """));
    }

    @Test
    void keepsATemplateThatDoesMoreThanSend() {
        rewriteRun(moved("""
                import io.awspring.cloud.sqs.operations.SendResult;
                import io.awspring.cloud.sqs.operations.SqsOperations;
                import io.awspring.cloud.sqs.operations.SqsTemplate;
                import org.springframework.messaging.Message;

                class Shop {

                    private SqsTemplate sqs;

                    void all(Message<String> order) {
                        sqs.send("orders", "tea");
                        sqs.send("orders", order);
                        SendResult<String> result = sqs.send("orders", "tea");
                        sqs.receive("orders", String.class);
                        new Other(sqs);
                    }

                    record Other(SqsTemplate sqs) {}

                    abstract class Recording implements SqsOperations {}
                }
                """, """
                import io.awspring.cloud.sqs.operations.SendResult;
                import io.awspring.cloud.sqs.operations.SqsOperations;
                import io.awspring.cloud.sqs.operations.SqsTemplate;
                import org.springframework.messaging.Message;

                class Shop {

                    private SqsTemplate sqs;

                    void all(Message<String> order) {
                        sqs.send("orders", "tea");
                        // BatchSQS: not moved: use send(OutgoingMessage.builder(queue, payload) … .build())
                        sqs.send("orders", order);
                        // BatchSQS: not moved: send returns the future of another SendResult
                        SendResult<String> result = sqs.send("orders", "tea");
                        // BatchSQS: not moved: use receiveOne, then acknowledge()
                        sqs.receive("orders", String.class);
                        // BatchSQS: not moved: other code takes this SqsTemplate
                        new Other(sqs);
                    }

                    record Other(SqsTemplate sqs) {}

                    // BatchSQS: not moved: extends what sends by Spring Cloud AWS
                    abstract class Recording implements SqsOperations {}
                }
                """));
    }

    @Test
    void movesTheSettingsThatMapAndNotesWhatToDoWithOthers() {
        rewriteRun(
                yaml("""
                        spring.cloud.aws:
                          region.static: eu-central-1
                          sqs:
                            queue-not-found-strategy: create
                            listener:
                              max-concurrent-messages: 20
                              poll-timeout: 2s
                            extended:
                              bucket: payloads
                        """, """
                        spring.cloud.aws:
                          region.static: eu-central-1
                          sqs:
                            listener:
                              # BatchSQS: set batchsqs.listener.concurrency to these messages, divided by the batch size
                              max-concurrent-messages: 20
                            # BatchSQS: see batchsqs.s3.*
                            extended:
                              bucket: payloads
                        batchsqs.listener.wait-time: 2s
                        batchsqs.listener.queue-not-found: create
                        """, file -> file.path("src/main/resources/application.yml")),
                properties("""
                        spring.cloud.aws.sqs.listener.max-messages-per-poll=20
                        spring.cloud.aws.sqs.listener.auto-startup=false
                        spring.cloud.aws.sqs.listener.max-concurrent-messages=20
                        spring.cloud.aws.sqs.listener.max-delay-between-polls=1s
                        spring.cloud.aws.sqs.extended.bucket=payloads
                        """, """
                        batchsqs.listener.batch-size=20
                        batchsqs.listener.auto-startup=false
                        # BatchSQS: set batchsqs.listener.concurrency to these messages, divided by the batch size
                        spring.cloud.aws.sqs.listener.max-concurrent-messages=20
                        # BatchSQS: not needed
                        spring.cloud.aws.sqs.listener.max-delay-between-polls=1s
                        # BatchSQS: see batchsqs.s3.*
                        spring.cloud.aws.sqs.extended.bucket=payloads
                        """, file -> file.path("src/main/resources/application.properties")));
    }

    private SourceSpecs moved(String before, String after) {
        return java(before, after, file -> file.afterRecipe(result -> compile(result.printAll())));
    }

    private void compile(String source) {
        String name = source.replaceAll("(?s).*?\n(?:@SqsListener.*?\n)?class (\\w+).*", "$1");
        var file = new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignore) {
                return source;
            }
        };
        var errors = new DiagnosticCollector<JavaFileObject>();
        var options = List.of("-proc:none", "-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
        boolean compiled = ToolProvider.getSystemJavaCompiler()
                .getTask(null, null, errors, options, null, List.of(file))
                .call();
        assertThat(compiled)
                .as(() -> errors.getDiagnostics().toString().toLowerCase(Locale.ROOT))
                .isTrue();
    }
}
