/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.signature;

import io.github.batchsqs.BatchListener;
import java.util.List;

/** What handles the messages of an annotated listener: a method, or the methods of a class. */
public sealed interface Handler permits Signature, TypedHandlers {

    /** Returns the signatures of the methods, at least one. */
    List<Signature> signatures();

    /** Returns whether the payloads are messages of SNS notifications, regardless of the settings. */
    boolean sns();

    /**
     * Returns a listener that calls the methods on this bean.
     *
     * @param bean the bean, a proxy or not
     * @param spring resolves the arguments of Spring Messaging
     * @throws io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException if the bean's proxy does not have a method
     */
    BatchListener<Object> listener(Object bean, SpringArguments spring);
}
