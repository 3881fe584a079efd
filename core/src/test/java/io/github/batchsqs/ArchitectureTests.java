/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Timer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The import rules of the engine. A new package needs a place in {@link #LAYERS}. */
class ArchitectureTests {

    private static final String ROOT = "io.github.batchsqs";

    /** The packages of the engine from the bottom up; each may import those of the layers below its own. */
    private static final List<List<String>> LAYERS = List.of(
            List.of(ROOT),
            List.of(ROOT + ".batch", ROOT + ".events"),
            List.of(ROOT + ".client", ROOT + ".codec"),
            List.of(ROOT + ".receive.fetch"),
            List.of(ROOT + ".receive.handoff", ROOT + ".receive.invoke", ROOT + ".receive.settle"),
            List.of(ROOT + ".receive", ROOT + ".send"),
            List.of(ROOT + ".observation"));

    private static final JavaClasses ENGINE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    @Test
    void importsGoOneWay() {
        var below = new ArrayList<String>();
        for (var layer : LAYERS) {
            for (var name : layer) {
                var allowed = Stream.concat(below.stream(), Stream.of(name)).toArray(String[]::new);
                check(classes()
                        .that()
                        .resideInAPackage(name)
                        .should()
                        .onlyDependOnClassesThat(
                                resideOutsideOfPackage(ROOT + "..").or(resideInAnyPackage(allowed)))
                        .because("a change to a stage stays in that stage"));
            }
            below.addAll(layer);
        }
    }

    @Test
    void everyPackageHasItsLayer() {
        assertThat(packages().map(JavaPackage::getName))
                .isSubsetOf(LAYERS.stream().flatMap(List::stream).toList());
    }

    @Test
    void packagesHaveNoCycles() {
        check(slices().matching(ROOT + ".(**)").should().beFreeOfCycles());
    }

    @Test
    void handoffInvokeAndSettleDoNotKnowOneAnother() {
        checkBlind(ROOT + ".receive.handoff..", ROOT + ".receive.invoke..", ROOT + ".receive.settle..");
    }

    @Test
    void sendAndReceiveDoNotKnowOneAnother() {
        checkBlind(ROOT + ".send..", ROOT + ".receive..");
    }

    @Test
    void theEngineKnowsNothingOfSpring() {
        check(noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework..", "io.awspring..")
                .because("Spring is the business of the autoconfigure module"));
    }

    @Test
    void onlyTheClientImportsTheAwsSdk() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + ".client..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("software.amazon.awssdk..")
                .because("QueueClient is the seam behind which the wire can be replaced"));
    }

    @Test
    void onlyClassesNamedThreadsMakeThreads() {
        check(noClasses()
                .that(describe(
                        "do not end in Threads",
                        type -> !outermost(type).getSimpleName().endsWith("Threads")))
                .should()
                .accessTargetWhere(makesThreads())
                .because("whoever makes a thread names it and stops it, and does nothing else"));
    }

    @Test
    void nothingSleeps() {
        check(noClasses()
                .that(describe(
                        "are not DirectCalls, whose wait between retries an interrupt ends and a test replaces",
                        type -> !outermost(type).getSimpleName().equals("DirectCalls")))
                .should()
                .callMethodWhere(describe(
                        "Thread.sleep or TimeUnit.sleep",
                        call -> (call.getTargetOwner().isEquivalentTo(Thread.class)
                                        || call.getTargetOwner().isEquivalentTo(TimeUnit.class))
                                && call.getName().equals("sleep")))
                .because("a sleep can be neither woken for a stop nor driven by a test's clock"));
    }

    @Test
    void noMethodIsSynchronized() {
        check(methods()
                .should()
                .notHaveModifier(JavaModifier.SYNCHRONIZED)
                .because("a virtual thread that blocks in a monitor pins its carrier on JDK 21"));
    }

    @Test
    void everyPackageIsNullMarked() {
        assertThat(packages()
                        .filter(each -> !each.isAnnotatedWith(NullMarked.class))
                        .map(JavaPackage::getName))
                .as("packages without @NullMarked in their package-info.java")
                .isEmpty();
    }

    private static void check(ArchRule rule) {
        // A package may be planned and not yet there.
        rule.allowEmptyShould(true).check(ENGINE);
    }

    private static void checkBlind(String... names) {
        for (var name : names) {
            var others = Stream.of(names).filter(other -> !other.equals(name)).toArray(String[]::new);
            check(noClasses()
                    .that()
                    .resideInAPackage(name)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(others)
                    .because("they share only what lies below them"));
        }
    }

    private static Stream<JavaPackage> packages() {
        return ENGINE.stream().map(JavaClass::getPackage).distinct();
    }

    private static JavaClass outermost(JavaClass type) {
        return type.getEnclosingClass().map(ArchitectureTests::outermost).orElse(type);
    }

    private static DescribedPredicate<JavaAccess<?>> makesThreads() {
        return describe("a thread is made", access -> {
            var owner = access.getTargetOwner();
            return switch (access.getName()) {
                case "<init>" ->
                    owner.isAssignableTo(Thread.class)
                            || owner.isAssignableTo(ExecutorService.class)
                            || owner.isAssignableTo(Timer.class);
                case "ofVirtual", "ofPlatform", "startVirtualThread" -> owner.isEquivalentTo(Thread.class);
                default -> owner.isEquivalentTo(Executors.class);
            };
        });
    }
}
