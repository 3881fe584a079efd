/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories;

import io.github.batchsqs.codec.PayloadCodec;
import java.lang.reflect.Type;

/** The codec of payloads that are texts. */
public final class Texts implements PayloadCodec {

    @Override
    @SuppressWarnings({"TypeParameterUnusedInFormals", "unchecked"}) // nobody reads them as anything else
    public <T> T read(String body, Type type) {
        return (T) body;
    }

    @Override
    public String write(Object payload) {
        return payload.toString();
    }
}
