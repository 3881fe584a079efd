/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaModifier.FINAL;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.members;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;

/** Boot finds the auto-configurations and nobody else uses them, so only the classes themselves are public. */
class ArchitectureTests {

    private static final String ROOT = "io.github.batchsqs.autoconfigure";

    /** Where the tests are compiled to; ArchUnit knows only the folders of some builds. */
    private static final String TESTS = ArchitectureTests.class
            .getProtectionDomain()
            .getCodeSource()
            .getLocation()
            .toString();

    private static final JavaClasses MODULE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.asURI().toString().startsWith(TESTS))
            .importPackages(ROOT);

    @Test
    void autoConfigurationsArePublicAndFinal() {
        check(classes()
                .that()
                .areAnnotatedWith(AutoConfiguration.class)
                .should()
                .bePublic()
                .andShould()
                .haveModifier(FINAL));
    }

    @Test
    void autoConfigurationsHaveNoOtherPublicMembers() {
        check(members()
                .that()
                .areDeclaredInClassesThat()
                .areAnnotatedWith(AutoConfiguration.class)
                .and(describe("are not the default constructor", member -> !isDefaultConstructor(member)))
                .should()
                .notBePublic());
    }

    @Test
    void autoConfigurationsHaveNoPublicNestedTypes() {
        check(classes()
                .that(describe(
                        "are nested in an auto-configuration",
                        type -> type.getEnclosingClass()
                                .filter(outer -> outer.isAnnotatedWith(AutoConfiguration.class))
                                .isPresent()))
                .should()
                .notBePublic());
    }

    @Test
    void bootFindsEveryAutoConfiguration() {
        var listed = Stream.of(ImportCandidates.load(
                        AutoConfiguration.class, getClass().getClassLoader()))
                .flatMap(candidates -> candidates.getCandidates().stream())
                .filter(name -> name.startsWith(ROOT));

        assertThat(listed)
                .as("entries of AutoConfiguration.imports")
                .containsExactlyInAnyOrderElementsOf(MODULE.stream()
                        .filter(type -> type.isAnnotatedWith(AutoConfiguration.class))
                        .map(JavaClass::getName)
                        .toList());
    }

    @Test
    void packagesHaveNoCycles() {
        check(slices().matching(ROOT + ".(*)..").should().beFreeOfCycles());
    }

    @Test
    void everyPackageIsNullMarked() {
        assertThat(MODULE.stream()
                        .map(JavaClass::getPackage)
                        .distinct()
                        .filter(each -> !each.isAnnotatedWith(NullMarked.class))
                        .map(JavaPackage::getName))
                .as("packages without @NullMarked in their package-info.java")
                .isEmpty();
    }

    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(MODULE);
    }

    private static boolean isDefaultConstructor(JavaMember member) {
        return member instanceof JavaConstructor constructor
                && constructor.getRawParameterTypes().isEmpty();
    }
}
