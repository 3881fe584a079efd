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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.Timer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The import rules of the engine. A new package needs a place in {@link #LAYERS}. */
class ArchitectureTests {

    private static final String ROOT = "io.github.batchsqs";

    /** Public for other packages of the engine, not for users. The API check and the Javadoc (pom.xml) leave these packages out. */
    private static final String INTERNAL = ROOT + ".internal";

    /** The same of all modules. */
    private static final Set<String> NOT_API =
            Set.of(INTERNAL, ROOT + ".autoconfigure.internal", ROOT + ".jdbc.internal");

    /** The packages of the engine from the bottom up; each may import those of the layers below its own. */
    private static final List<List<String>> LAYERS = List.of(
            List.of(ROOT + ".errors"),
            List.of(INTERNAL + ".support"),
            List.of(ROOT),
            List.of(ROOT + ".client", ROOT + ".events"),
            List.of(INTERNAL + ".client"),
            List.of(INTERNAL + ".batch", INTERNAL + ".sdk", ROOT + ".codec", ROOT + ".listener", ROOT + ".payload"),
            List.of(ROOT + ".receive", INTERNAL + ".codec", INTERNAL + ".events", INTERNAL + ".http"),
            List.of(INTERNAL + ".direct", ROOT + ".pull"),
            List.of(INTERNAL + ".receive.delivery", INTERNAL + ".pull", ROOT + ".send"),
            List.of(
                    INTERNAL + ".receive.fetch",
                    INTERNAL + ".receive.handoff",
                    INTERNAL + ".receive.invoke",
                    INTERNAL + ".receive.settle"),
            List.of(INTERNAL + ".receive", INTERNAL + ".send", ROOT + ".observation"),
            List.of(INTERNAL + ".observation"));

    /** Where the tests are compiled to; ArchUnit knows only the folders of some builds. */
    private static final String TESTS = ArchitectureTests.class
            .getProtectionDomain()
            .getCodeSource()
            .getLocation()
            .toString();

    private static final JavaClasses ENGINE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.asURI().toString().startsWith(TESTS))
            .withImportOption(
                    location -> !location.contains("/batchsqs/model/")) // another module, on the tests' class path
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

    @ParameterizedTest
    @ValueSource(strings = {"model", "core", "autoconfigure", "s3", "jdbc", "starter-test", "sample-app", "benchmarks"})
    void packagesOfNoModuleHaveCycles(String module) {
        assertThat(PackageCycles.in(Path.of("..", module)))
                .as("imports between packages that are part of a circle")
                .isEmpty();
    }

    @Test
    void theStagesDoNotKnowOneAnother() {
        checkBlind(
                INTERNAL + ".receive.fetch..",
                INTERNAL + ".receive.handoff..",
                INTERNAL + ".receive.invoke..",
                INTERNAL + ".receive.settle..");
    }

    @Test
    void sendAndReceiveDoNotKnowOneAnother() {
        checkBlind("..batchsqs..send..", "..batchsqs..receive..");
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
    void onlyTheClientsImportTheAwsSdk() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages(INTERNAL + ".direct..", INTERNAL + ".http..", INTERNAL + ".sdk..")
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
    void testsChangeNothingOfTheWholeJvm() {
        assertThat(TestSources.changesOfTheJvm(Set.of(
                        "TestSources", // has the words
                        "LogCapture", // adds an appender that only listens
                        "ElasticMqServer", // stops the server that all tests of the JVM share
                        "ConsumerProcess", // a JVM of its own, as those below
                        "ProducerProcess",
                        "ConsumerApplication",
                        "ProducerApplication",
                        "SqsProcess")))
                .as(
                        "Tests that run beside one another see these changes. Leave the change out, give the test something of"
                                + " its own (a LoggerContext, a clock; LogCapture, QuietThreads), or isolate the class with @Isolated")
                .isEmpty();
    }

    @Test
    void testsWaitForProgressAndNotForATime() {
        assertThat(TestSources.waitsForATime(Set.of(
                        "TestSources", // has the words
                        "InMemoryQueueClient", // a long poll ends after its wait time
                        "CallLimitsTests", // a server whose responses drip
                        "ProducerProcess", // looks up now and then whether it is to end
                        "BatchSqsTestTests", // waits as users do
                        "JavaSnippet",
                        "Handler", // of histories, whose time is virtual, as that of the next two
                        "InboxHistory",
                        "OutboxInstance",
                        "Waits"))) // the waits that virtual time takes over
                .as(
                        "On a busy machine every fixed time is too short. Wait with io.github.batchsqs.testkit.Progress, or that"
                                + " of the module: until(value, expected), get(future), await(latch), take(queue)")
                .isEmpty();
    }

    @Test
    void theEngineAndTheSendersCatchEverythingInTwoPlaces() throws IOException {
        Pattern everything = Pattern.compile("catch \\((Throwable|RuntimeException \\| Error|Error)\\b");
        List<String> catching = new ArrayList<>();
        for (String part : List.of("receive", "listener", "internal", "send", "client", "codec", "payload")) {
            try (Stream<Path> files = Files.walk(Path.of("src/main/java/io/github/batchsqs", part))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    if (everything.matcher(Files.readString(file)).find()) {
                        catching.add(file.getFileName().toString());
                    }
                }
            }
        }
        assertThat(catching)
                .as("Foreign code is called through ForeignCode. What the engine throws ends the run")
                .containsExactlyInAnyOrder("ForeignCode.java", "Supervised.java");
    }

    @Test
    void allModulesWaitInTheSameWay() {
        assertThat(TestSources.named("Progress.java"))
                .as("modules with a Progress of their own; the build adds core/src/shared-test/java to their tests")
                .containsOnlyKeys("core");
    }

    @Test
    void everyPackageIsNullMarked() {
        assertThat(packages()
                        .filter(each -> !each.isAnnotatedWith(NullMarked.class))
                        .map(JavaPackage::getName))
                .as("packages without @NullMarked in their package-info.java")
                .isEmpty();
    }

    @Test
    void signaturesOfTheApiNameTypesOfTheApi() {
        assertThat(ENGINE.stream()
                        .filter(ArchitectureTests::isApi)
                        .flatMap(type -> Stream.concat(
                                namedBy(type.getName(), supertypes(type)),
                                type.getMembers().stream()
                                        .filter(member -> isVisible(member.getModifiers()))
                                        .flatMap(member -> namedBy(
                                                member.getFullName(), member.getAllInvolvedRawTypes().stream())))))
                .as("public signatures that mention a type of which users must know nothing")
                .isEmpty();
    }

    @Test
    void theFifoInvariantsNameTestsThatExist() throws IOException {
        String invariants =
                Files.readString(Path.of("src/main/java/io/github/batchsqs/internal/receive/package-info.java"));

        assertThat(Pattern.compile("\\{@code\\s[\\s*]*(\\w+)#(\\w+)}")
                        .matcher(invariants)
                        .results()
                        .toList())
                .hasSizeGreaterThan(10)
                .allSatisfy(test -> assertThat(
                                TestSources.named(test.group(1) + ".java").get("core"))
                        .as(test.group())
                        .contains("void " + test.group(2) + "("));
    }

    @Test
    void theApiCheckAndTheJavadocLeaveOutWhatIsNotApi() throws IOException {
        String pom = Files.readString(Path.of("..", "pom.xml"));

        assertThat(firstGroups(Pattern.compile("<exclude>(" + ROOT + "[a-z.]*)</exclude>"), pom))
                .as("packages that the API check leaves out")
                .containsExactlyInAnyOrderElementsOf(NOT_API);
        assertThat(firstGroups(Pattern.compile("<excludePackageNames>([^<]*)</excludePackageNames>"), pom)
                        .flatMap(names -> Stream.of(names.split(":")))
                        .map(name -> name.replaceFirst("(\\.receive)?\\.\\*$", "")))
                .as("packages without Javadoc")
                .hasSameElementsAs(NOT_API);
        assertThat(pom)
                .as("single types that are left out: what is not API is in an internal package")
                .doesNotContain("<sourceFileExclude>")
                .doesNotContainPattern("<exclude>" + ROOT + "[a-z.]*\\.[A-Z]");
    }

    private static Stream<String> firstGroups(Pattern element, String pom) {
        return element.matcher(pom).results().map(found -> found.group(1));
    }

    private static boolean isApi(JavaClass type) {
        return !(type.getPackageName() + ".").startsWith(INTERNAL + ".")
                && Stream.iterate(
                                Optional.of(type),
                                Optional::isPresent,
                                inner -> inner.flatMap(JavaClass::getEnclosingClass))
                        .allMatch(each -> isVisible(each.orElseThrow().getModifiers()));
    }

    private static boolean isVisible(Set<JavaModifier> modifiers) {
        return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
    }

    private static Stream<JavaClass> supertypes(JavaClass type) {
        return Stream.concat(type.getRawSuperclass().stream(), type.getRawInterfaces().stream());
    }

    private static Stream<String> namedBy(String signature, Stream<JavaClass> types) {
        return types.map(JavaClass::getBaseComponentType)
                .filter(type -> type.getPackageName().startsWith(ROOT) && !isApi(type))
                .map(type -> signature + " mentions " + type.getName());
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
