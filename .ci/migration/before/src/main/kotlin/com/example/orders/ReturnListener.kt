package com.example.orders

import io.awspring.cloud.sqs.annotation.SqsListener
import org.springframework.stereotype.Component

@Component
class ReturnListener(private val journal: Journal) {

    @SqsListener("returns")
    fun handle(order: Order) {
        journal.write("returns", "${order.number()} of ${order.customer()}")
    }
}
