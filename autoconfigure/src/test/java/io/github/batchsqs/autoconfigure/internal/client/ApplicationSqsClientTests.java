/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.awspring.cloud.autoconfigure.core.AwsConnectionDetails;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.mock.env.MockEnvironment;
import software.amazon.awssdk.services.sqs.SqsClient;

/** What the log says about the clients of the application. */
class ApplicationSqsClientTests {

    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger log = new LoggerContext().getLogger("client");

    ApplicationSqsClientTests() {
        lines.start();
        log.addAppender(lines);
    }

    @Test
    void theOneThatIsUsedIsNamed() {
        define("own");
        choose(false);
        assertLine("BatchSQS uses the SqsClient of the application (own).");
        assertThat(beans.getAliases("own")).containsExactly("batchSqsClient");
    }

    @Test
    void severalAreNamedWithWhatToDo() {
        define("own");
        define("other");
        choose(false);
        assertLine("BatchSQS uses none of the SqsClient beans of the application (own, other)");
        assertLine("make it @Primary, or name it batchSqsClient");
    }

    @Test
    void theEmbeddedServerIsAReason() {
        define("own");
        choose(true);
        assertLine("does not use the SqsClient of the application (own), because batchsqs.embedded.enabled is true");
    }

    @Test
    void connectionDetailsKeepTheEmbeddedServerFromStartingAndSoFromBeingAReason() {
        define("own");
        beans.registerSingleton("details", new AwsConnectionDetails() {});
        choose(true);
        assertLine("BatchSQS uses the SqsClient of the application (own).");
        assertThat(beans.getAliases("own")).containsExactly("batchSqsClient");
    }

    @Test
    void withoutAnyNothingIsSaid() {
        choose(false);
        define("batchSqsClient");
        choose(false);
        assertThat(lines.list).isEmpty();
    }

    private void define(String name) {
        beans.registerBeanDefinition(name, new RootBeanDefinition(SqsClient.class, SqsClient::create));
    }

    private void choose(boolean embedded) {
        var environment = new MockEnvironment().withProperty("batchsqs.embedded.enabled", String.valueOf(embedded));
        new ApplicationSqsClient(beans, environment).choose(beans, log);
    }

    private void assertLine(String text) {
        assertThat(lines.list).singleElement().asString().startsWith("[INFO]").contains(text);
    }
}
