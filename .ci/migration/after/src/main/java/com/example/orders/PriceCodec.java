package com.example.orders;

import io.github.batchsqs.codec.JacksonPayloadCodec;
import io.github.batchsqs.codec.PayloadCodec;
import java.lang.reflect.Type;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Prices as {@code tea;120}, everything else as JSON. */
@Component
class PriceCodec implements PayloadCodec {

    private final PayloadCodec json;

    PriceCodec(JsonMapper mapper) {
        this.json = new JacksonPayloadCodec(mapper);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> T read(String body, Type type) {
        if (type != Price.class) {
            return json.read(body, type);
        }
        String[] fields = body.split(";");
        return (T) new Price(fields[0], Integer.parseInt(fields[1]));
    }

    @Override
    public String write(Object payload) {
        return payload instanceof Price price ? price.article() + ";" + price.cents() : json.write(payload);
    }
}
