package com.example.orders;

import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.converter.AbstractMessageConverter;

/** Prices as {@code tea;120}. */
class PriceConverter extends AbstractMessageConverter {

    @Override
    protected boolean supports(Class<?> type) {
        return type == Price.class;
    }

    @Override
    protected Object convertFromInternal(Message<?> message, Class<?> type, Object hint) {
        String[] fields = message.getPayload().toString().split(";");
        return new Price(fields[0], Integer.parseInt(fields[1]));
    }

    @Override
    protected Object convertToInternal(Object payload, MessageHeaders headers, Object hint) {
        Price price = (Price) payload;
        return price.article() + ";" + price.cents();
    }
}
