/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.codec;

import java.lang.reflect.Type;

/**
 * Turns bodies into payloads and payloads into bodies.
 *
 * <p>Called by the thread that runs the handler, or that sends; safe for use by any number of threads. No error that it
 * throws holds any part of the payload: bodies may be confidential, and errors are logged.
 */
public interface PayloadCodec {

    /**
     * Reads a body.
     *
     * @param body the body as SQS delivered it
     * @param type the payload type, generic ones included, as a handler's signature has it
     * @throws ConversionException if the body cannot be read as that type
     */
    @SuppressWarnings("TypeParameterUnusedInFormals") // the type is given as a value
    <T> T read(String body, Type type);

    /**
     * Writes a payload as a body.
     *
     * @throws ConversionException if the payload cannot be written
     */
    String write(Object payload);
}
