package com.example.orders

import io.github.batchsqs.annotation.BatchSqsListener
import io.github.batchsqs.kotlin.receive
import io.github.batchsqs.kotlin.send
import io.github.batchsqs.kotlin.sendAll
import io.github.batchsqs.send.BatchSqsOperations
import kotlinx.coroutines.delay
import org.springframework.boot.ApplicationRunner
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication
import org.springframework.context.annotation.Bean

data class Order(val number: Int, val customer: String = "unknown")

@SpringBootApplication
class OrdersApplication {

    @BatchSqsListener(queue = ["orders"], batchSize = "100", batchLinger = "200ms")
    suspend fun handle(orders: List<Order>) {
        delay(10) // or any other suspend function
        orders.forEach { println("Handled $it") }
        // returning deletes them; throwing brings them back
    }

    @Bean
    fun send(sqs: BatchSqsOperations) = ApplicationRunner {
        val orders = (1..20).map { Order(it) }
        sqs.sendAll("orders", orders) { order -> attribute("customer", order.customer) }

        sqs.send<Order>("returns", Order(21, "acme")) { attribute("reason", "broken") }.get()
        val returns = sqs.receive<Order>("returns")
        println("Returned ${returns.payloads()}")
        returns.acknowledge().get()
    }
}

fun main(args: Array<String>) {
    runApplication<OrdersApplication>(*args)
}
