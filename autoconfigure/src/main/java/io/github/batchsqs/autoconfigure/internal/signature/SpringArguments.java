/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.signature;

import io.github.batchsqs.internal.codec.Envelope;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.convert.ConversionService;
import org.springframework.format.support.DefaultFormattingConversionService;
import org.springframework.messaging.handler.annotation.support.HeaderMethodArgumentResolver;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;

/**
 * What the arguments of Spring Messaging need of one listener; headers have defaults, placeholders and conversion.
 *
 * @param envelope the envelope of the payloads; its attributes are headers too
 * @param header resolves {@code @Header}
 */
public record SpringArguments(Envelope envelope, HandlerMethodArgumentResolver header) {

    /**
     * Creates what one listener needs.
     *
     * @param beans resolves placeholders in defaults; its conversion service, if there is one, converts headers
     * @param envelope the envelope of the payloads
     */
    public static SpringArguments of(@Nullable ConfigurableBeanFactory beans, Envelope envelope) {
        ConversionService conversion = beans == null ? null : beans.getConversionService();
        return new SpringArguments(
                envelope,
                new HeaderMethodArgumentResolver(
                        conversion != null ? conversion : new DefaultFormattingConversionService(), beans));
    }
}
