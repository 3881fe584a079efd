/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.codec;

import java.lang.reflect.Type;

/**
 * Converts bodies to payloads and payloads to bodies.
 *
 * <p>Called by the thread that runs the handler, or that sends; safe for use by any number of threads. No error that it
 * throws holds any part of the payload: bodies may be confidential, and errors are logged.
 */
public interface PayloadCodec {

    /**
     * Reads a body.
     *
     * @param <T> the payload type
     * @param body the body as SQS delivered it
     * @param type the payload type, generic ones included, as a handler's signature has it
     * @return the payload
     * @throws ConversionException if the body cannot be read as that type; the message goes to the dead-letter queue at once,
     *     as after every exception and a {@code StackOverflowError}. After any other {@code Error} it is retried
     */
    @SuppressWarnings("TypeParameterUnusedInFormals") // the type is given as a value
    <T> T read(String body, Type type);

    /**
     * Checks at the start of a listener that bodies can be read as a type at all. Does nothing unless a codec overrides it.
     *
     * @param type the payload type of the listener
     * @throws ConversionException if no body can be read as that type, because the type itself is wrong
     */
    default void requireReadable(Type type) {}

    /**
     * Writes a payload as a body.
     *
     * @param payload the payload, never {@code null}
     * @return the body to send
     * @throws ConversionException if the payload cannot be written; the message fails with {@code ConversionFailed}, as after
     *     every exception and {@code Error}
     */
    String write(Object payload);
}
