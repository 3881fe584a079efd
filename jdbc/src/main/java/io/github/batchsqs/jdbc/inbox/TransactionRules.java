/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.inbox;

import io.github.batchsqs.autoconfigure.diagnostics.SetupException;
import java.lang.reflect.Method;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttribute;

/** Refuses handler methods whose own {@code @Transactional} would keep their work out of the transaction of the inbox. */
final class TransactionRules {

    private static final AnnotationTransactionAttributeSource ANNOTATIONS =
            new AnnotationTransactionAttributeSource(false);

    private TransactionRules() {}

    /** @throws SetupException if the method would leave the transaction */
    static void check(Class<?> beanClass, Method method) {
        TransactionAttribute attribute = ANNOTATIONS.getTransactionAttribute(method, beanClass);
        if (attribute == null) {
            return;
        }
        String propagation = switch (attribute.getPropagationBehavior()) {
            case TransactionDefinition.PROPAGATION_REQUIRES_NEW -> "REQUIRES_NEW";
            case TransactionDefinition.PROPAGATION_NOT_SUPPORTED -> "NOT_SUPPORTED";
            case TransactionDefinition.PROPAGATION_NEVER -> "NEVER";
            case TransactionDefinition.PROPAGATION_NESTED -> "NESTED";
            default -> null;
        };
        if (propagation != null) {
            throw new SetupException(
                    "The listener method " + beanClass.getName() + "." + method.getName()
                            + " has the inbox, and @Transactional"
                            + " with propagation " + propagation
                            + ": its work could be committed or rolled back without the record of its messages.",
                    "Remove the propagation: with REQUIRED, the default, the method takes part in that transaction. Or disable"
                            + " the inbox of the listener.");
        }
    }
}
