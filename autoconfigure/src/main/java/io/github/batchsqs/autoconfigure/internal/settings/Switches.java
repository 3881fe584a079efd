/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.settings;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Conditions on the settings that switch something on or off. They understand what the binder of the settings does: {@code
 * yes}, {@code on} and {@code 1} as well. What it does not understand has no effect here, because the binder ends the start.
 */
public final class Switches {

    private Switches() {}

    private static boolean isOn(Environment environment, String key, boolean absent) {
        try {
            return environment.getProperty(key, Boolean.class, absent);
        } catch (ConversionException noBoolean) {
            return absent;
        }
    }

    private static ConditionOutcome outcome(String key, boolean on) {
        return new ConditionOutcome(on, ConditionMessage.of(key + " is " + on));
    }

    /** Matches unless {@code batchsqs.enabled} is false. */
    public static final class BatchSqs extends SpringBootCondition {
        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return outcome("batchsqs.enabled", isOn(context.getEnvironment(), "batchsqs.enabled", true));
        }
    }

    /** Matches if {@code batchsqs.embedded.enabled} is true. */
    public static final class Embedded extends SpringBootCondition {
        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return outcome(
                    "batchsqs.embedded.enabled", isOn(context.getEnvironment(), "batchsqs.embedded.enabled", false));
        }
    }

    /**
     * Matches if {@code batchsqs.sender.transactional} is outbox, in all spellings that the binder reads, such as {@code OUT_BOX}.
     */
    public static final class Outbox extends SpringBootCondition {
        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return outcome("batchsqs.sender.transactional: outbox", isOutbox(context.getEnvironment()));
        }

        private static boolean isOutbox(Environment environment) {
            try {
                return Binder.get(environment)
                                .bind("batchsqs.sender.transactional", SenderSettings.Transactional.class)
                                .orElse(SenderSettings.Transactional.NONE)
                        == SenderSettings.Transactional.OUTBOX;
            } catch (BindException unknown) {
                return false;
            }
        }
    }
}
