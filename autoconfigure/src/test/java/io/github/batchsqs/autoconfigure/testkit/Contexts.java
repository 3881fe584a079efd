/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.testkit;

import io.awspring.cloud.autoconfigure.core.AwsAutoConfiguration;
import io.awspring.cloud.autoconfigure.core.CredentialsProviderAutoConfiguration;
import io.awspring.cloud.autoconfigure.core.RegionProviderAutoConfiguration;
import io.awspring.cloud.autoconfigure.sqs.SqsAutoConfiguration;
import io.github.batchsqs.autoconfigure.internal.client.BatchSqsClientAutoConfiguration;
import io.github.batchsqs.autoconfigure.internal.client.BatchSqsLazyClientAutoConfiguration;
import io.github.batchsqs.autoconfigure.internal.embedded.BatchSqsEmbeddedAutoConfiguration;
import io.github.batchsqs.autoconfigure.internal.listener.BatchSqsListenerAutoConfiguration;
import io.github.batchsqs.autoconfigure.internal.sender.BatchSqsSenderAutoConfiguration;
import java.util.Locale;
import java.util.regex.Matcher;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Contexts as an application with the starter has them. */
public final class Contexts {

    private Contexts() {}

    /** No region, no credentials, nothing started. */
    public static ApplicationContextRunner bare() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        PropertyPlaceholderAutoConfiguration.class,
                        AwsAutoConfiguration.class,
                        CredentialsProviderAutoConfiguration.class,
                        RegionProviderAutoConfiguration.class,
                        BatchSqsClientAutoConfiguration.class,
                        BatchSqsLazyClientAutoConfiguration.class,
                        BatchSqsEmbeddedAutoConfiguration.class,
                        BatchSqsListenerAutoConfiguration.class,
                        BatchSqsSenderAutoConfiguration.class));
    }

    /** Set up for AWS; nothing is called unless a test does so. */
    public static ApplicationContextRunner aws() {
        return bare().withPropertyValues(
                        "spring.cloud.aws.region.static=eu-central-1",
                        "spring.cloud.aws.credentials.access-key=key",
                        "spring.cloud.aws.credentials.secret-key=secret");
    }

    /** With the asynchronous client, the template and the listeners of Spring Cloud AWS, whose stop takes two seconds. */
    public static ApplicationContextRunner besideSpringCloudAws(ApplicationContextRunner contexts) {
        return contexts.withConfiguration(AutoConfigurations.of(SqsAutoConfiguration.class));
    }

    /** On the embedded server; the first send has time for it, also on a machine that stalls. */
    public static ApplicationContextRunner embedded() {
        return bare().withPropertyValues("batchsqs.embedded.enabled=true", "batchsqs.sender.max-block=1h");
    }

    /**
     * Set up for AWS, with listeners that do not start.
     *
     * @param outer has the beans as nested classes
     * @param beans simple names of those that are beans, separated by commas; their names are those in lower case
     * @param properties settings, separated by semicolons, or a dash
     */
    public static ApplicationContextRunner with(Class<?> outer, String beans, String properties) {
        ApplicationContextRunner contexts = aws().withPropertyValues("batchsqs.listener.auto-startup=false")
                .withPropertyValues(named(outer, properties).split("; "));
        for (String bean : beans.split(",", -1)) {
            try {
                contexts =
                        contexts.withBean(bean.toLowerCase(Locale.ROOT), Class.forName(outer.getName() + "$" + bean));
            } catch (ClassNotFoundException misspelt) {
                throw new AssertionError(misspelt);
            }
        }
        return contexts;
    }

    /** Returns a text with the full names of nested classes instead of the simple ones in braces. */
    public static String named(Class<?> outer, String text) {
        return text.replaceAll("(?<![\\[$#])\\{(\\w+)}", Matcher.quoteReplacement(outer.getName() + "$") + "$1");
    }
}
