/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.migrate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.openrewrite.Cursor;
import org.openrewrite.ExecutionContext;
import org.openrewrite.Preconditions;
import org.openrewrite.SourceFile;
import org.openrewrite.TreeVisitor;
import org.openrewrite.internal.ListUtils;
import org.openrewrite.java.ChangeType;
import org.openrewrite.java.JavaIsoVisitor;
import org.openrewrite.java.JavaVisitor;
import org.openrewrite.java.search.UsesType;
import org.openrewrite.java.tree.Comment;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.Space;
import org.openrewrite.java.tree.Statement;
import org.openrewrite.java.tree.TextComment;
import org.openrewrite.marker.Markers;

/** Comments for the statements, methods and classes of one file, and whether the file can be moved. */
final class Notes {

    private record Note(UUID statement, String text, boolean ofMove) {}

    private final List<Note> notes = new ArrayList<>();
    private boolean blocked;

    /**
     * {@return what visits the Java files that use a type} It writes the notes of a survey, and then moves the file if nothing blocks it.
     *
     * @param types the types that change, and what they become
     */
    static TreeVisitor<?, ExecutionContext> visitor(
            String used,
            Supplier<JavaIsoVisitor<Notes>> survey,
            Map<String, String> types,
            Supplier<JavaVisitor<ExecutionContext>> move) {
        return Preconditions.check(new UsesType<>(used, false), new JavaVisitor<ExecutionContext>() {
            @Override
            public boolean isAcceptable(SourceFile file, ExecutionContext context) {
                return file instanceof J.CompilationUnit;
            }

            @Override
            public J visitCompilationUnit(J.CompilationUnit file, ExecutionContext context) {
                Notes notes = new Notes();
                survey.get().visit(file, notes);
                J noted = notes.writtenTo(file);
                if (notes.blocked()) {
                    return noted;
                }
                types.forEach((from, to) -> doAfterVisit(new ChangeType(from, to, true).getVisitor()));
                return move.get().visitNonNull(noted, context);
            }
        });
    }

    /** Adds a comment about what does not move, which keeps the whole file as it is. */
    void block(Cursor where, String text) {
        blocked = true;
        add(where, "not moved: " + text, false);
    }

    /** Adds a comment about what moves; it is written only if the file moves. */
    void addToMoved(Cursor where, String text) {
        add(where, text, true);
    }

    /** Adds a comment that is written in any case. */
    void add(Cursor where, String text) {
        add(where, text, false);
    }

    private void add(Cursor where, String text, boolean ofMove) {
        Cursor at = where;
        while (!(at.getValue() instanceof Statement)
                || !ownsItsLine(at.getParentTreeCursor().getValue())) {
            at = at.getParentTreeCursor(); // to the member, or the statement of a block
        }
        Statement statement = at.getValue();
        notes.add(new Note(statement.getId(), " BatchSQS: " + text, ofMove));
    }

    boolean blocked() {
        return blocked;
    }

    J writtenTo(J.CompilationUnit file) {
        return new JavaIsoVisitor<Integer>() {
            @Override
            public Statement visitStatement(Statement statement, Integer none) {
                Space prefix = statement.getPrefix();
                for (Note note : notes) {
                    if (note.statement().equals(statement.getId()) && !(blocked && note.ofMove())) {
                        prefix = with(prefix, note.text());
                    }
                }
                return statement.withPrefix(prefix);
            }
        }.visitNonNull(file, 0);
    }

    private static boolean ownsItsLine(Object parent) {
        return parent instanceof J.Block || parent instanceof J.CompilationUnit;
    }

    private static Space with(Space prefix, String text) {
        for (Comment comment : prefix.getComments()) {
            if (comment instanceof TextComment line && line.getText().equals(text)) {
                return prefix; // of an earlier run
            }
        }
        String indent = "\n" + prefix.getIndent();
        return prefix.withComments(
                ListUtils.concat(prefix.getComments(), new TextComment(false, text, indent, Markers.EMPTY)));
    }
}
