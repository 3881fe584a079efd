/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.autoconfigure.internal.options.LayeredSettings;
import io.github.batchsqs.autoconfigure.internal.options.ListenerSettingsTable;
import io.github.batchsqs.autoconfigure.internal.options.SettingConversions;
import io.github.batchsqs.autoconfigure.internal.signature.Signature;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.SqsLimits;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ListenerOptions.AcknowledgeMode;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** Puts the inbox around the listeners that ask for it, and refuses those that it cannot serve. */
record Inboxes(ObjectProvider<ListenerInbox> inboxes) {

    /** Returns the listener itself unless its settings enable the inbox. */
    BatchListener<Object> around(
            LayeredSettings settings,
            ListenerOptions options,
            @Nullable Class<?> beanClass,
            List<Method> methods,
            List<Signature> signatures,
            BatchListener<Object> listener) {
        Boolean enabled = settings.find(ListenerSettingsTable.INBOX_ENABLED);
        if (enabled == null || !enabled) {
            refuseKeyAlone(enabled, settings.findOwn(ListenerSettingsTable.INBOX_KEY));
            return listener;
        }
        String key = settings.find(ListenerSettingsTable.INBOX_KEY);
        refuse(options, signatures, key);
        return required()
                .around(
                        listener,
                        new ListenerInbox.Request(
                                options, SqsLimits.queueName(options.queue()), key, beanClass, methods));
    }

    /** A key of this listener alone means that somebody believes it has the inbox. A key of all listeners does not. */
    private static void refuseKeyAlone(@Nullable Boolean enabled, @Nullable String ownKey) {
        Check.that(
                enabled != null || ownKey == null,
                ListenerSettingsTable.INBOX_KEY,
                "needs inbox.enabled: true, without which it stops no duplicates",
                String.valueOf(ownKey),
                "set inbox.enabled of the listener to true or false, or remove the key");
    }

    private ListenerInbox required() {
        ListenerInbox inbox = inboxes.getIfAvailable();
        if (inbox == null) {
            throw new InvalidOptionException(
                    ListenerSettingsTable.INBOX_ENABLED,
                    "needs the module batchsqs-spring-boot-jdbc",
                    true,
                    "add the dependency io.github.batchsqs:batchsqs-spring-boot-jdbc, or remove the key");
        }
        return inbox;
    }

    private static void refuse(ListenerOptions options, List<Signature> signatures, @Nullable String key) {
        AcknowledgeMode mode = options.acknowledge().mode();
        Check.that(
                mode == AcknowledgeMode.ON_SUCCESS,
                ListenerSettingsTable.INBOX_ENABLED,
                "needs acknowledge.mode: on-success, because a message must not be deleted before the transaction of the"
                        + " inbox has committed",
                "true with acknowledge.mode: " + SettingConversions.text(mode),
                "set acknowledge.mode to on-success for the listener '" + options.id() + "', or disable its inbox");
        for (Signature signature : signatures) {
            Check.that(
                    signature.runsOnThreadOfInvocation(),
                    ListenerSettingsTable.INBOX_ENABLED,
                    "needs a handler that does its work on the thread of the invocation, which has the transaction",
                    "true for " + signature + ", which returns a CompletionStage or is a suspend function",
                    "let the method return void or BatchOutcome, or disable the inbox of the listener '" + options.id()
                            + "'");
        }
        Check.that(
                key == null || !key.isBlank(),
                ListenerSettingsTable.INBOX_KEY,
                "must not be blank",
                "''",
                "write an expression such as payload.orderId, or remove the key");
    }
}
