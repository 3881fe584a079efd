/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.migrate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.openrewrite.Cursor;
import org.openrewrite.ExecutionContext;
import org.openrewrite.Recipe;
import org.openrewrite.TreeVisitor;
import org.openrewrite.internal.ListUtils;
import org.openrewrite.java.JavaIsoVisitor;
import org.openrewrite.java.JavaParser;
import org.openrewrite.java.JavaTemplate;
import org.openrewrite.java.JavaVisitor;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.TypeTree;
import org.openrewrite.java.tree.TypeUtils;

/**
 * Moves sends by {@code SqsTemplate} to {@code BatchSqsOperations}, in Java files in which the template does nothing else. In other
 * files comments name what to write instead.
 */
public final class MoveSends extends Recipe {

    private static final String USED = "io.awspring.cloud.sqs.operations.Sqs";
    private static final String OPERATIONS = "io.github.batchsqs.send.BatchSqsOperations";
    private static final String OUTGOING = "io.github.batchsqs.send.OutgoingMessage";

    /** The template, and the interfaces that it implements. */
    private static final Map<String, String> TYPES = Map.of(
            USED + "Template", OPERATIONS, USED + "Operations", OPERATIONS, USED + "AsyncOperations", OPERATIONS);

    private static final Set<String> NO_RESULT =
            Set.of("java.lang.Runnable", "java.util.function.Consumer", "java.util.function.BiConsumer");

    private static final Map<String, String> REPLACEMENTS = Map.of(
            "receive", "use receiveOne, then acknowledge()",
            "receiveMany", "use receive, then acknowledge()",
            "sendMany", "use sendAll, with payloads or OutgoingMessages");

    /** The options of a send, and the calls of the builder that replace them. */
    private static final Map<String, String> OPTIONS = Map.of(
            "header", ".attribute(#{any(String)}, #{any(String)})",
            "delaySeconds", ".delay(Duration.ofSeconds(#{any(int)}))",
            "messageGroupId", ".groupId(#{any(String)})",
            "messageDeduplicationId", ".deduplicationId(#{any(String)})");

    /** What the templates below use of the library, which is not on the recipe's class path. */
    private static final String[] SIGNATURES = {"""
        package io.github.batchsqs.send;
        public interface BatchSqsOperations {
            java.util.concurrent.CompletableFuture<Object> send(String queue, Object payload);
            java.util.concurrent.CompletableFuture<Object> send(OutgoingMessage message);
        }
        """, """
        package io.github.batchsqs.send;
        public interface OutgoingMessage {
            static Builder builder(String queue, Object payload) { return null; }
            interface Builder {
                Builder attribute(String name, String value);
                Builder delay(java.time.Duration value);
                Builder groupId(String value);
                Builder deduplicationId(String value);
                OutgoingMessage build();
            }
        }
        """};

    /** Creates the recipe; it has no options. */
    public MoveSends() {}

    @Override
    public String getDisplayName() {
        return "Move sends by `SqsTemplate` to `BatchSqsOperations`";
    }

    @Override
    public String getDescription() {
        return "Moves sends whose result is not used, and comments on other uses of the template.";
    }

    @Override
    public TreeVisitor<?, ExecutionContext> getVisitor() {
        return Notes.visitor(USED + "*", Survey::new, TYPES, Move::new);
    }

    /** Finds uses of the template other than sends. */
    private static final class Survey extends JavaIsoVisitor<Notes> {

        private static final String OWN = "extends what sends by Spring Cloud AWS";

        @Override
        public J.MethodInvocation visitMethodInvocation(J.MethodInvocation call, Notes notes) {
            if (isOfTemplate(call)) {
                String name = call.getSimpleName();
                if (!name.equals("send") && !name.equals("sendAsync")) {
                    notes.block(getCursor(), REPLACEMENTS.getOrDefault(name, name + " has no counterpart"));
                } else if (!dropsResult(getCursor())) {
                    notes.block(getCursor(), "send returns the future of another SendResult");
                } else if (replacement(call) == null) {
                    notes.block(getCursor(), "use send(OutgoingMessage.builder(queue, payload) … .build())");
                }
            }
            passed(call.getArguments(), notes);
            return super.visitMethodInvocation(call, notes);
        }

        @Override
        public J.ClassDeclaration visitClassDeclaration(J.ClassDeclaration declared, Notes notes) {
            List<TypeTree> types = ListUtils.concat(declared.getImplements(), declared.getExtends());
            if (types != null && types.stream().anyMatch(Survey::isOwn)) {
                notes.block(getCursor(), OWN);
            }
            return super.visitClassDeclaration(declared, notes);
        }

        @Override
        public J.NewClass visitNewClass(J.NewClass made, Notes notes) {
            if (made.getBody() != null && made.getClazz() != null && isOwn(made.getClazz())) {
                notes.block(getCursor(), OWN);
            }
            passed(made.getArguments(), notes);
            return super.visitNewClass(made, notes);
        }

        @Override
        public J.MemberReference visitMemberReference(J.MemberReference reference, Notes notes) {
            passed(List.of(reference.getContaining()), notes);
            return super.visitMemberReference(reference, notes);
        }

        @Override
        public J.Return visitReturn(J.Return result, Notes notes) {
            if (result.getExpression() != null) {
                passed(List.of(result.getExpression()), notes);
            }
            return super.visitReturn(result, notes);
        }

        @Override
        public J.VariableDeclarations visitVariableDeclarations(J.VariableDeclarations variables, Notes notes) {
            Object owner =
                    getCursor().getParentTreeCursor().getParentTreeCursor().getValue();
            if (owner instanceof J.ClassDeclaration && isTemplate(variables.getType())) {
                notes.addToMoved(
                        getCursor(), "sends no attribute JavaType, which @SqsHandler methods of receivers need");
            }
            return super.visitVariableDeclarations(variables, notes);
        }

        private void passed(List<? extends Expression> values, Notes notes) {
            if (values.stream().anyMatch(value -> isTemplate(value.getType()))) {
                notes.block(getCursor(), "other code takes this SqsTemplate");
            }
        }

        private static boolean isOwn(TypeTree type) {
            return isTemplate(type.getType());
        }

        private static boolean dropsResult(Cursor call) {
            Object parent = call.getParentTreeCursor().getValue();
            return parent instanceof J.Block
                    || (parent instanceof J.Lambda lambda
                            && NO_RESULT.stream().anyMatch(type -> TypeUtils.isOfClassType(lambda.getType(), type)));
        }
    }

    /** Rewrites a file in which the template sends alone. */
    private static final class Move extends JavaVisitor<ExecutionContext> {

        @Override
        public J visitMethodInvocation(J.MethodInvocation call, ExecutionContext context) {
            J.MethodInvocation moved = (J.MethodInvocation) super.visitMethodInvocation(call, context);
            Replacement replacement = isOfTemplate(call) ? replacement(moved) : null;
            if (replacement == null) {
                return moved;
            }
            maybeAddImport(OUTGOING);
            maybeAddImport("java.time.Duration");
            String wait = call.getSimpleName().equals("send") ? ".join()" : "";
            return JavaTemplate.builder("#{any(" + OPERATIONS + ")}.send(" + replacement.argument() + ")" + wait)
                    .imports(OUTGOING, "java.time.Duration")
                    .javaParser(JavaParser.fromJavaVersion().dependsOn(SIGNATURES))
                    .build()
                    .apply(
                            updateCursor(moved),
                            moved.getCoordinates().replace(),
                            replacement.values().toArray());
        }
    }

    /** The argument of the new send as a template, with the values for its places; the first is the template itself. */
    private record Replacement(String argument, List<Object> values) {}

    private static @Nullable Replacement replacement(J.MethodInvocation call) {
        List<Expression> arguments = call.getArguments();
        if (call.getSelect() == null) {
            return null;
        }
        if (arguments.size() == 2) {
            return isPayload(arguments.get(1))
                    ? new Replacement(
                            "#{any(String)}, #{any(Object)}",
                            List.of(call.getSelect(), arguments.get(0), arguments.get(1)))
                    : null;
        }
        return arguments.get(0) instanceof J.Lambda lambda && lambda.getBody() instanceof J.MethodInvocation options
                ? withOptions(call.getSelect(), options)
                : null;
    }

    private static @Nullable Replacement withOptions(Expression template, J.MethodInvocation last) {
        StringBuilder calls = new StringBuilder();
        List<Object> values = new ArrayList<>();
        Expression queue = null;
        Expression payload = null;
        for (Expression at = last; at instanceof J.MethodInvocation option; at = option.getSelect()) {
            List<Expression> arguments = option.getArguments();
            Expression value = arguments.get(arguments.size() - 1);
            String name = option.getSimpleName();
            if (name.equals("queue")) {
                queue = value;
            } else if (name.equals("payload") && isPayload(value)) {
                payload = value;
            } else if (OPTIONS.containsKey(name) && (!name.equals("header") || TypeUtils.isString(value.getType()))) {
                calls.insert(0, OPTIONS.get(name));
                values.addAll(0, arguments);
            } else {
                return null;
            }
        }
        if (queue == null || payload == null) {
            return null;
        }
        values.addAll(0, List.of(template, queue, payload));
        String builder = "OutgoingMessage.builder(#{any(String)}, #{any(Object)})";
        return new Replacement(builder + calls + ".build()", values);
    }

    private static boolean isTemplate(@Nullable JavaType type) {
        return TYPES.keySet().stream().anyMatch(each -> TypeUtils.isOfClassType(type, each));
    }

    private static boolean isOfTemplate(J.MethodInvocation call) {
        return call.getSelect() != null && isTemplate(call.getSelect().getType());
    }

    private static boolean isPayload(Expression value) {
        return !TypeUtils.isAssignableTo("org.springframework.messaging.Message", value.getType());
    }
}
