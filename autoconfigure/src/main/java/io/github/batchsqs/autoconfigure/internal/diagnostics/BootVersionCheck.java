/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.diagnostics;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;

/**
 * Ends the start on a version of Spring Boot that the library was not built for, before beans fail for reasons that do not name
 * the version. It uses only what all versions of Spring Boot have.
 */
final class BootVersionCheck implements ApplicationContextInitializer<ConfigurableApplicationContext>, Ordered {

    private static final String NEEDED = "4";

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        require(SpringBootVersion.getVersion());
    }

    /** Throws if the version is known and is another than the needed one. */
    static void require(@Nullable String version) {
        if (version != null && !version.split("\\.", 2)[0].equals(NEEDED)) {
            throw new SetupException(
                    "BatchSQS needs Spring Boot " + NEEDED + ", but this application runs on Spring Boot " + version
                            + ".",
                    "Upgrade the application to Spring Boot " + NEEDED + ", or remove BatchSQS.");
        }
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }
}
