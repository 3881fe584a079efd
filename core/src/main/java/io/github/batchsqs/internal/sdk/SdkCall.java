/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.sdk;

/** A blocking call by the AWS SDK or its parts. */
@FunctionalInterface
public interface SdkCall<T> {

    /** Makes the call and returns its result; throws what the SDK throws. */
    T make() throws InterruptedException;
}
