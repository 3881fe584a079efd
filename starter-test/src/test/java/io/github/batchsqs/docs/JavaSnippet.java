/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.docs;

import com.sun.source.util.JavacTask;
import io.github.batchsqs.docs.Page.Fence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Turns a fragment on a page into a class, and compiles it against this module's test class path.
 *
 * <p>A fragment is the body of a method or, if that does not parse, of a class. That class extends {@link Scaffold}, which
 * declares the names that fragments use: an {@code Order}, a {@code repository}, a {@code log}. A fragment has all other imports
 * that it needs. <code>{ … }</code> stands for any body, and a line with only {@code …} for omitted code.
 */
final class JavaSnippet extends SimpleJavaFileObject {

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    private final String source;

    private JavaSnippet(Fence fence, boolean ofMethod) {
        super(URI.create("string:///" + packageOf(fence) + "/Snippet.java"), Kind.SOURCE);
        String imports = lines(fence, true);
        String code = lines(fence, false);
        String body = ofMethod ? "void snippet() throws Exception {\n" + code + "}\n" : code;
        source = "package " + packageOf(fence) + ";\n" + imports
                + "class Snippet extends io.github.batchsqs.docs.Scaffold {\n" + body + "}\n";
    }

    /** The errors of each fragment, by its place. */
    static Map<String, List<String>> compile(List<Fence> fences) {
        Map<String, List<String>> errors = new LinkedHashMap<>();
        List<JavaSnippet> parsed = new ArrayList<>();
        Map<String, String> places = new LinkedHashMap<>();
        for (Fence fence : fences) {
            errors.put(fence.place(), new ArrayList<>());
            var ofMethod = new JavaSnippet(fence, true);
            var ofClass = new JavaSnippet(fence, false);
            places.put(ofClass.getName(), fence.place());
            List<String> syntax = ofClass.syntaxErrors();
            if (ofMethod.syntaxErrors().isEmpty()) {
                parsed.add(ofMethod);
            } else if (syntax.isEmpty()) {
                parsed.add(ofClass);
            } else {
                errors.put(fence.place(), syntax);
            }
        }
        var diagnostics = new DiagnosticCollector<JavaFileObject>();
        try {
            task(diagnostics, parsed).analyze();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        for (Diagnostic<? extends JavaFileObject> error : errorsIn(diagnostics)) {
            String place = Objects.requireNonNull(places.get(error.getSource().getName()));
            Objects.requireNonNull(errors.get(place)).add(error.getMessage(Locale.ROOT));
        }
        return errors;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return source;
    }

    private List<String> syntaxErrors() {
        var diagnostics = new DiagnosticCollector<JavaFileObject>();
        try {
            task(diagnostics, List.of(this)).parse();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return errorsIn(diagnostics).stream()
                .map(error -> error.getMessage(Locale.ROOT))
                .toList();
    }

    private static JavacTask task(DiagnosticCollector<JavaFileObject> diagnostics, List<JavaSnippet> snippets) {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> options = List.of(
                "-classpath", classPath, "--release", "21", "-parameters", "-proc:none", "--should-stop=ifError=FLOW");
        return (JavacTask) COMPILER.getTask(null, null, diagnostics, options, null, snippets);
    }

    private static List<Diagnostic<? extends JavaFileObject>> errorsIn(
            DiagnosticCollector<JavaFileObject> diagnostics) {
        return diagnostics.getDiagnostics().stream()
                .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
                .collect(Collectors.toList());
    }

    private static String lines(Fence fence, boolean imports) {
        return fence.text()
                .lines()
                .filter(line -> line.startsWith("import ") == imports)
                .filter(line -> !line.strip().matches("…\\s*(//.*)?"))
                .map(line -> line.replace("{ … }", "{ throw new UnsupportedOperationException(); }") + "\n")
                .collect(Collectors.joining());
    }

    private static String packageOf(Fence fence) {
        return fence.place().replaceAll("\\W", "_");
    }
}
