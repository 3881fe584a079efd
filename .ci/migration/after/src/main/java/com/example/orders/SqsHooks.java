package com.example.orders;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.listener.BatchInterceptor;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What BatchSQS and Spring take from beans. */
@Configuration(proxyBeanMethods = false)
class SqsHooks {

    @Bean
    MethodInterceptor recovery(Journal journal) {
        return call -> {
            try {
                return call.proceed();
            } catch (OrderRejectedException rejected) {
                journal.write("skipped", rejected.order().number());
                return null; // the message is deleted
            }
        };
    }

    @Bean
    static BeanNameAutoProxyCreator recoveredInvoices() {
        var creator = new BeanNameAutoProxyCreator();
        creator.setBeanNames("invoiceListener");
        creator.setInterceptorNames("recovery");
        creator.setProxyTargetClass(true);
        return creator;
    }

    @Bean
    BatchInterceptor watch(Journal journal) {
        return new BatchInterceptor() {
            @Override
            public void before(MessageBatch<?> batch) {
                batch.forEach(message -> journal.write("before", batch.queue()));
            }

            @Override
            public void after(MessageBatch<?> batch, BatchOutcome outcome, Throwable failure) {
                batch.forEach(message -> journal.write("after", batch.queue()));
            }
        };
    }
}
