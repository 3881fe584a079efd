/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.support.SpringFactoriesLoader;

class BootVersionCheckTests {

    @ParameterizedTest
    @ValueSource(strings = {"3.5.6", "5.0.0-M1", "40.1.0"})
    void anotherVersionEndsTheStart(String version) {
        assertThatExceptionOfType(SetupException.class)
                .isThrownBy(() -> BootVersionCheck.require(version))
                .satisfies(refused -> {
                    assertThat(refused.problem())
                            .isEqualTo("BatchSQS needs Spring Boot 4, but this application runs on Spring Boot "
                                    + version + ".");
                    assertThat(refused.remedy()).startsWith("Upgrade the application to Spring Boot 4");
                });
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"4.0.0", "4.1.1", "4.2.0-SNAPSHOT"})
    void theNeededVersionAndAnUnknownOneDoNot(@Nullable String version) {
        assertThatNoException().isThrownBy(() -> BootVersionCheck.require(version));
    }

    @Test
    void bootFindsTheCheck() {
        assertThat(SpringFactoriesLoader.forDefaultResourceLocation().load(ApplicationContextInitializer.class))
                .filteredOn(BootVersionCheck.class::isInstance)
                .singleElement()
                .satisfies(found -> assertThatNoException()
                        .isThrownBy(() -> ((BootVersionCheck) found).initialize(new GenericApplicationContext())));
    }
}
