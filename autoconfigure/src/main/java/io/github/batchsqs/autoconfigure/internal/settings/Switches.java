/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.settings;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Conditions on the settings that switch something on or off. They ask the binder of the settings: it reads {@code yes}, {@code on} and
 * {@code 1} as well, and what it cannot read ends the start.
 */
public final class Switches {

    private Switches() {}

    private static <T> ConditionOutcome outcome(
            ConditionContext context, String key, Class<T> type, T absent, T wanted) {
        T value = Binder.get(context.getEnvironment()).bind(key, type).orElse(absent);
        return new ConditionOutcome(value.equals(wanted), ConditionMessage.of(key + " is " + value));
    }

    /** Matches unless {@code batchsqs.enabled} is false. */
    public static final class BatchSqs extends SpringBootCondition {
        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return outcome(context, "batchsqs.enabled", Boolean.class, true, true);
        }
    }

    /** Matches if {@code batchsqs.embedded.enabled} is true. */
    public static final class Embedded extends SpringBootCondition {
        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return outcome(context, "batchsqs.embedded.enabled", Boolean.class, false, true);
        }
    }

    /**
     * Matches if {@code batchsqs.sender.transactional} is outbox, in all spellings that the binder reads, such as {@code OUT_BOX}.
     */
    public static final class Outbox extends SpringBootCondition {
        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return outcome(
                    context,
                    "batchsqs.sender.transactional",
                    SenderSettings.Transactional.class,
                    SenderSettings.Transactional.NONE,
                    SenderSettings.Transactional.OUTBOX);
        }
    }
}
