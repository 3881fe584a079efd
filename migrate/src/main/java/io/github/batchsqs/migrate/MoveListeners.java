/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.migrate;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openrewrite.Cursor;
import org.openrewrite.ExecutionContext;
import org.openrewrite.Recipe;
import org.openrewrite.Tree;
import org.openrewrite.TreeVisitor;
import org.openrewrite.internal.ListUtils;
import org.openrewrite.java.JavaIsoVisitor;
import org.openrewrite.java.JavaTemplate;
import org.openrewrite.java.JavaVisitor;
import org.openrewrite.java.MethodMatcher;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JLeftPadded;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.Space;
import org.openrewrite.java.tree.TypeUtils;
import org.openrewrite.marker.Markers;

/**
 * Moves the listener methods of Java files to {@code @BatchSqsListener}, with their {@code Acknowledgement} and {@code Visibility}.
 * A file moves as a whole or not at all; then comments name the reasons. Comments also name what Spring Cloud AWS takes from
 * beans, and what replaces it.
 */
public final class MoveListeners extends Recipe {

    private static final String SQS = "io.awspring.cloud.sqs.";
    private static final String LISTENER = SQS + "annotation.SqsListener";
    private static final String BATCH_ACKNOWLEDGEMENT = SQS + "listener.acknowledgement.BatchAcknowledgement";
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

    private static final Map<String, String> TYPES = Map.of(
            LISTENER,
            "io.github.batchsqs.annotation.BatchSqsListener",
            SQS + "listener.acknowledgement.Acknowledgement",
            "io.github.batchsqs.Acknowledgement",
            BATCH_ACKNOWLEDGEMENT,
            "io.github.batchsqs.Acknowledgement",
            SQS + "listener.Visibility",
            "io.github.batchsqs.Visibility",
            SQS + "listener.BatchVisibility",
            "io.github.batchsqs.Visibility");

    private static final Map<String, String> BEANS = Map.of(
            SQS + "config.SqsListenerConfigurer", "the parameters of listener methods are fixed",
            SQS + "config.SqsMessageListenerContainerFactory", "its options are settings, batchsqs.listener.*",
            SQS + "listener.acknowledgement.AcknowledgementResultCallback", "see the application events and meters",
            SQS + "listener.errorhandler.AsyncErrorHandler", "use an ErrorHook, or advice around the listener's bean",
            SQS + "listener.errorhandler.ErrorHandler", "use an ErrorHook, or advice around the listener's bean",
            SQS + "listener.interceptor.AsyncMessageInterceptor", "use a BatchInterceptor",
            SQS + "listener.interceptor.MessageInterceptor", "use a BatchInterceptor",
            SQS + "support.converter.MessagingMessageConverter", "use a PayloadCodec bean");

    private static final MethodMatcher OF_MESSAGES =
            new MethodMatcher(SQS + "listener.acknowledgement.*Acknowledgement acknowledge*(*)");
    private static final MethodMatcher ACKNOWLEDGE =
            new MethodMatcher(SQS + "listener.acknowledgement.*Acknowledgement acknowledge*()");
    private static final MethodMatcher CHANGE = new MethodMatcher(SQS + "listener.*Visibility changeTo*(int)");

    /** Creates the recipe; it has no options. */
    public MoveListeners() {}

    @Override
    public String getDisplayName() {
        return "Move `@SqsListener` to `@BatchSqsListener`";
    }

    @Override
    public String getDescription() {
        return "Moves listener methods with their attributes, acknowledgement and visibility, and comments on what does not map.";
    }

    @Override
    public TreeVisitor<?, ExecutionContext> getVisitor() {
        return Notes.visitor(SQS + "*..*", Survey::new, TYPES, Move::new);
    }

    /** Finds what does not move. */
    private static final class Survey extends JavaIsoVisitor<Notes> {

        @Override
        public J.ClassDeclaration visitClassDeclaration(J.ClassDeclaration type, Notes notes) {
            if (type.getLeadingAnnotations().stream().anyMatch(MoveListeners::isListener)) {
                notes.block(
                        getCursor(),
                        type.getKind() == J.ClassDeclaration.Kind.Type.Annotation
                                ? "write it with @BatchSqsListener as its meta-annotation"
                                : "a class needs the settings payload.type-header and payload.types");
            }
            return super.visitClassDeclaration(type, notes);
        }

        @Override
        public J.MethodDeclaration visitMethodDeclaration(J.MethodDeclaration method, Notes notes) {
            JavaType returned = method.getMethodType() == null
                    ? null
                    : method.getMethodType().getReturnType();
            BEANS.forEach((type, replacement) -> {
                if (TypeUtils.isOfClassType(returned, type)) {
                    notes.add(getCursor(), "not applied to its listeners: " + replacement);
                }
            });
            for (J.Annotation annotation : method.getLeadingAnnotations()) {
                if (isListener(annotation)) {
                    survey(annotation, method, notes);
                }
            }
            return super.visitMethodDeclaration(method, notes);
        }

        private void survey(J.Annotation annotation, J.MethodDeclaration method, Notes notes) {
            JavaType returned = Objects.requireNonNull(method.getMethodType()).getReturnType();
            if (returned != JavaType.Primitive.Void
                    && !TypeUtils.isAssignableTo("java.util.concurrent.CompletionStage", returned)) {
                notes.block(getCursor(), "a handler returns void, BatchOutcome, or a CompletionStage of either");
            }
            if (takes(method, SQS + "listener.QueueAttributes")) {
                notes.block(getCursor(), "there is no parameter QueueAttributes");
            }
            for (Expression argument : arguments(annotation)) {
                String name = name(argument);
                String text = text(value(argument));
                if (name.equals("factory")) {
                    notes.block(getCursor(), "options of the factory become settings, batchsqs.listeners.<id>.*");
                } else if (name.equals("pollTimeoutSeconds")) {
                    notes.addToMoved(
                            getCursor(),
                            "pollTimeoutSeconds is the setting batchsqs.listeners.<id>.wait-time"
                                    + (text == null ? "" : ": " + text + "s"));
                } else if (text == null && !List.of("value", "queueNames", "id").contains(name)) {
                    notes.block(getCursor(), name + " is not literal");
                } else if (name.startsWith("max")
                        && isBatch(method)
                        && !NUMBER.matcher(text).matches()) {
                    notes.block(getCursor(), name + " is no number: concurrency × batchSize = maxConcurrentMessages");
                }
            }
        }

        @Override
        public J.MethodInvocation visitMethodInvocation(J.MethodInvocation call, Notes notes) {
            if (OF_MESSAGES.matches(call)) {
                notes.block(
                        getCursor(),
                        "acknowledge a part of a batch by List<SqsMessage<T>>, and return the others with nack");
            } else if (CHANGE.matches(call)) {
                notes.addToMoved(
                        getCursor(), "makes a lease longer, never shorter; nack(Duration) returns a message sooner");
            }
            return super.visitMethodInvocation(call, notes);
        }
    }

    /** Rewrites a file in which everything moves. */
    private static final class Move extends JavaVisitor<ExecutionContext> {

        @Override
        public J visitMethodDeclaration(J.MethodDeclaration method, ExecutionContext context) {
            J.MethodDeclaration moved = (J.MethodDeclaration) super.visitMethodDeclaration(method, context);
            maybeRemoveImport(SQS + "annotation.SqsListenerAcknowledgementMode");
            return moved.withLeadingAnnotations(ListUtils.map(
                    moved.getLeadingAnnotations(), each -> isListener(each) ? moved(each, method) : each));
        }

        private static J.Annotation moved(J.Annotation annotation, J.MethodDeclaration method) {
            List<Expression> before = arguments(annotation);
            List<Expression> after = ListUtils.flatMap(before, argument -> moved(argument, before, isBatch(method)));
            return annotation.withArguments(ListUtils.mapFirst(
                    after, first -> first.withPrefix(before.get(0).getPrefix())));
        }

        private static @Nullable Object moved(Expression argument, List<Expression> all, boolean batch) {
            Expression value = value(argument);
            String text = text(value);
            return switch (name(argument)) {
                case "value", "queueNames" -> attribute(argument, "queue", value);
                case "messageVisibilitySeconds" -> attribute(argument, "visibilityTimeout", literal(text + "s"));
                case "acknowledgementMode" -> attribute(argument, "acknowledgeMode", literal(kebab(text)));
                case "maxConcurrentMessages" ->
                    attribute(argument, "concurrency", literal(batch ? invocations(text, batchSize(all)) : text));
                case "maxMessagesPerPoll" -> {
                    J.Assignment size = attribute(argument, "batchSize", value);
                    yield !batch
                            ? null
                            : batchSize(all) <= 10
                                    ? size
                                    : List.of(
                                            size,
                                            attribute(
                                                    argument,
                                                    "batchLinger",
                                                    literal("200ms"))); // more than one receive
                }
                case "pollTimeoutSeconds" -> null; // a comment
                default -> argument;
            };
        }

        @Override
        public J visitMethodInvocation(J.MethodInvocation call, ExecutionContext context) {
            J.MethodInvocation moved = (J.MethodInvocation) super.visitMethodInvocation(call, context);
            if (ACKNOWLEDGE.matches(call)) {
                return named(moved, "acknowledge");
            }
            if (CHANGE.matches(call)) {
                maybeAddImport("java.time.Duration");
                Expression seconds = moved.getArguments().get(0);
                Expression duration = JavaTemplate.builder("Duration.ofSeconds(#{any(int)})")
                        .imports("java.time.Duration")
                        .build()
                        .apply(
                                new Cursor(updateCursor(moved), seconds),
                                seconds.getCoordinates().replace(),
                                seconds);
                J.MethodInvocation renamed = named(moved, "changeTo").withArguments(List.of(duration));
                return renamed.withMethodType(Objects.requireNonNull(renamed.getMethodType())
                        .withParameterTypes(List.of(JavaType.buildType("java.time.Duration"))));
            }
            return moved;
        }

        @Override
        public J visitParameterizedType(J.ParameterizedType type, ExecutionContext context) {
            J moved = super.visitParameterizedType(type, context);
            return TypeUtils.isOfClassType(type.getType(), BATCH_ACKNOWLEDGEMENT)
                    ? type.getClazz().withPrefix(type.getPrefix())
                    : moved;
        }

        private static J.MethodInvocation named(J.MethodInvocation call, String name) {
            return call.withName(call.getName().withSimpleName(name))
                    .withMethodType(Objects.requireNonNull(call.getMethodType()).withName(name));
        }
    }

    private static boolean isListener(J.Annotation annotation) {
        return TypeUtils.isOfClassType(annotation.getType(), LISTENER);
    }

    private static boolean isBatch(J.MethodDeclaration method) {
        return takes(method, "java.util.List") || takes(method, "java.util.Collection");
    }

    private static boolean takes(J.MethodDeclaration method, String type) {
        return Objects.requireNonNull(method.getMethodType()).getParameterTypes().stream()
                .anyMatch(each -> TypeUtils.isOfClassType(each, type));
    }

    private static List<Expression> arguments(J.Annotation annotation) {
        return annotation.getArguments() == null ? List.of() : annotation.getArguments();
    }

    private static String name(Expression argument) {
        return argument instanceof J.Assignment pair && pair.getVariable() instanceof J.Identifier name
                ? name.getSimpleName()
                : "value";
    }

    private static Expression value(Expression argument) {
        return argument instanceof J.Assignment pair ? pair.getAssignment() : argument;
    }

    /** Returns the text of a literal, or the name of one of the acknowledgement modes. */
    private static @Nullable String text(Expression value) {
        if (value instanceof J.FieldAccess mode
                && TypeUtils.isOfClassType(mode.getTarget().getType(), LISTENER + "AcknowledgementMode")) {
            return mode.getSimpleName();
        }
        return value instanceof J.Literal literal && literal.getValue() instanceof String text ? text : null;
    }

    private static int batchSize(List<Expression> arguments) {
        for (Expression argument : arguments) {
            String text = name(argument).equals("maxMessagesPerPoll") ? text(value(argument)) : null;
            if (text != null) {
                return Integer.parseInt(text);
            }
        }
        return 10; // of both libraries
    }

    private static String invocations(@Nullable String messages, int batchSize) {
        return String.valueOf(Math.max(1, Math.ceilDiv(Integer.parseInt(Objects.requireNonNull(messages)), batchSize)));
    }

    private static String kebab(@Nullable String constant) {
        return Objects.requireNonNull(constant).toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static J.Assignment attribute(Expression argument, String name, Expression value) {
        var variable = new J.Identifier(Tree.randomId(), Space.EMPTY, Markers.EMPTY, List.of(), name, null, null);
        return new J.Assignment(
                Tree.randomId(),
                argument.getPrefix(),
                Markers.EMPTY,
                variable,
                new JLeftPadded<>(Space.SINGLE_SPACE, value.withPrefix(Space.SINGLE_SPACE), Markers.EMPTY),
                value.getType());
    }

    private static J.Literal literal(@Nullable String text) {
        return new J.Literal(
                Tree.randomId(), Space.EMPTY, Markers.EMPTY, text, '"' + text + '"', null, JavaType.Primitive.String);
    }
}
