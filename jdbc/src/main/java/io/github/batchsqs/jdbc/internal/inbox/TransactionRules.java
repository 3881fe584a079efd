/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.TransactionManagementConfigurer;
import org.springframework.transaction.interceptor.TransactionAttribute;

/**
 * Refuses handler methods whose own {@code @Transactional} would keep their work out of the transaction of the inbox.
 */
final class TransactionRules {

    private static final Set<Propagation> OUTSIDE =
            EnumSet.of(Propagation.REQUIRES_NEW, Propagation.NOT_SUPPORTED, Propagation.NEVER, Propagation.NESTED);

    private final AnnotationTransactionAttributeSource annotations = new AnnotationTransactionAttributeSource(false);
    private final ListableBeanFactory beans;
    private final PlatformTransactionManager own;

    /**
     * Creates the rules.
     *
     * @param own the transaction manager of the inbox
     */
    TransactionRules(ListableBeanFactory beans, PlatformTransactionManager own) {
        this.beans = beans;
        this.own = own;
        if (beans instanceof ConfigurableBeanFactory configurable) {
            annotations.setEmbeddedValueResolver(new EmbeddedValueResolver(configurable));
        }
    }

    /** @throws SetupException if the method would leave the transaction */
    void check(Class<?> beanClass, Method method) {
        TransactionAttribute attribute = annotations.getTransactionAttribute(method, beanClass);
        if (attribute == null) {
            return;
        }
        String listener = "The listener method " + beanClass.getName() + "." + method.getName()
                + " has the inbox, and @Transactional ";
        Propagation propagation = Arrays.stream(Propagation.values())
                .filter(each -> each.value() == attribute.getPropagationBehavior())
                .findFirst()
                .orElse(Propagation.REQUIRED);
        if (OUTSIDE.contains(propagation)) {
            throw new SetupException(
                    listener + "with propagation " + propagation
                            + ": its work could be committed or rolled back without the record of its messages.",
                    "Remove the propagation: with REQUIRED, the default, the method takes part in that transaction. Or disable"
                            + " the inbox of the listener.");
        }
        checkManager(listener, attribute.getQualifier());
    }

    @SuppressWarnings("ReferenceEquality") // another manager is another object
    private void checkManager(String listener, @Nullable String qualifier) {
        boolean named = qualifier != null && !qualifier.isBlank();
        TransactionManager used = qualifier != null && named ? named(qualifier) : usual();
        if (used != null && used != own) {
            throw new SetupException(
                    listener
                            + (named
                                    ? "of the transaction manager '" + qualifier + "'"
                                    : "without a transaction manager")
                            + ", which is not that of the inbox ("
                            + own.getClass().getName()
                            + "): its work would be in another transaction than the record of its messages.",
                    "Name that of the inbox in @Transactional, or set batchsqs.jdbc.transaction-manager and"
                            + " batchsqs.jdbc.data-source to those of the handler. Or disable the inbox of the listener.");
        }
    }

    /** Returns {@code null} if there is none; then the method fails with Spring's words. */
    private @Nullable TransactionManager named(String qualifier) {
        try {
            return BeanFactoryAnnotationUtils.qualifiedBeanOfType(beans, TransactionManager.class, qualifier);
        } catch (NoSuchBeanDefinitionException absent) {
            return null;
        }
    }

    /** Returns the transaction manager of methods that name none, or {@code null} if it cannot be known. */
    private @Nullable TransactionManager usual() {
        TransactionManagementConfigurer configurer =
                beans.getBeanProvider(TransactionManagementConfigurer.class).getIfUnique();
        return configurer != null
                ? configurer.annotationDrivenTransactionManager()
                : beans.getBeanProvider(TransactionManager.class).getIfUnique();
    }
}
