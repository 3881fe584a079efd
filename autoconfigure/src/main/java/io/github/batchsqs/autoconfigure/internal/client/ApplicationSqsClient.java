/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.client;

import io.awspring.cloud.autoconfigure.core.AwsConnectionDetails;
import io.github.batchsqs.autoconfigure.internal.settings.Switches;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Gives the application's own {@code SqsClient} the name {@code batchSqsClient} as well, if there is one: the only one, or
 * the primary one. The log says which one is used, or why none is.
 */
final class ApplicationSqsClient implements ImportBeanDefinitionRegistrar {

    private static final Logger LOG = LoggerFactory.getLogger(ApplicationSqsClient.class);

    private final ConfigurableListableBeanFactory beans;
    private final boolean embedded;

    ApplicationSqsClient(BeanFactory beans, Environment environment) {
        this.beans = (ConfigurableListableBeanFactory) beans;
        this.embedded = Switches.embedded(environment) && !hasConnectionDetails();
    }

    /** Where there are connection details, no embedded server is started, whatever the setting says. */
    private boolean hasConnectionDetails() {
        return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, AwsConnectionDetails.class, true, false)
                        .length
                > 0;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        choose(registry, LOG);
    }

    void choose(BeanDefinitionRegistry registry, Logger log) {
        List<String> own = candidates();
        if (own.isEmpty() || beans.containsBean(BatchSqsClientAutoConfiguration.CLIENT)) {
            return;
        }
        String chosen = chosen(own);
        if (embedded) {
            log.info(
                    "BatchSQS does not use the SqsClient of the application ({}), because batchsqs.embedded.enabled is"
                            + " true: a client of its own calls the embedded server.",
                    String.join(", ", own));
        } else if (chosen == null) {
            log.info(
                    "BatchSQS uses none of the SqsClient beans of the application ({}), because there are several: it has a"
                            + " client of its own, with the settings of spring.cloud.aws. To let BatchSQS use one of them,"
                            + " make it @Primary, or name it {}.",
                    String.join(", ", own),
                    BatchSqsClientAutoConfiguration.CLIENT);
        } else {
            registry.registerAlias(chosen, BatchSqsClientAutoConfiguration.CLIENT);
            log.info(
                    "BatchSQS uses the SqsClient of the application ({}). Its HTTP client must have a connection for each"
                            + " concurrent call (pollers.max of each listener, and those of deletes and sends) and wait"
                            + " longer than wait-time for a response. With @Bean(defaultCandidate = false) there,"
                            + " BatchSQS has a client of its own.",
                    chosen);
        }
    }

    private List<String> candidates() {
        return List.of(beans.getBeanNamesForType(SqsClient.class, true, false)).stream()
                .filter(this::isCandidate)
                .toList();
    }

    private boolean isCandidate(String name) {
        BeanDefinition definition = definition(name);
        return definition == null
                || (definition.isAutowireCandidate()
                        && (!(definition instanceof AbstractBeanDefinition known) || known.isDefaultCandidate()));
    }

    private @Nullable String chosen(List<String> own) {
        if (own.size() == 1) {
            return own.getFirst();
        }
        List<String> primary = own.stream().filter(this::isPrimary).toList();
        return primary.size() == 1 ? primary.getFirst() : null;
    }

    private boolean isPrimary(String name) {
        BeanDefinition definition = definition(name);
        return definition != null && definition.isPrimary();
    }

    /** Returns {@code null} for a singleton that was registered without a definition. */
    private @Nullable BeanDefinition definition(String name) {
        return beans.containsBeanDefinition(name) ? beans.getBeanDefinition(name) : null;
    }
}
