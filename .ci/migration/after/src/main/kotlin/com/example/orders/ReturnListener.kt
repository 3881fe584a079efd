package com.example.orders

import io.github.batchsqs.annotation.BatchSqsListener
import org.springframework.stereotype.Component

@Component
class ReturnListener(private val journal: Journal) {

    @BatchSqsListener(queue = ["returns"])
    fun handle(order: Order) {
        journal.write("returns", "${order.number()} of ${order.customer()}")
    }
}
