/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.sample.orders.OrderListener;
import io.github.batchsqs.sample.queues.DeadLetters;
import io.github.batchsqs.sample.shipping.ShipmentListener;
import io.github.batchsqs.sample.stock.StockListener;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.send.SendResult;
import io.github.batchsqs.testkit.Progress;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.RestTestClient.BodyContentSpec;
import org.springframework.transaction.support.TransactionOperations;
import software.amazon.awssdk.services.sqs.SqsClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the buttons call, over HTTP, on the embedded server. */
@SampleTest
class ControlTests {

    @LocalServerPort
    private int port;

    @Autowired
    private MeterRegistry meters;

    @Autowired
    private OrderListener orders;

    @Autowired
    private ShipmentListener shipments;

    @Autowired
    private StockListener stock;

    @Autowired
    private DeadLetters deadLetters;

    @Autowired
    private JsonMapper json;

    @Autowired
    private SampleState state;

    @Autowired
    private JdbcClient database;

    @Autowired
    private TransactionOperations transactions;

    @Autowired
    private BatchSqsOperations sqs;

    @Autowired
    @Qualifier("batchSqsClient")
    private SqsClient server;

    private RestTestClient client;

    @BeforeEach
    void connect() throws InterruptedException {
        client = RestTestClient.bindToServer()
                .baseUrl("http://localhost:" + port)
                .build();
        state.reset();
    }

    @Test
    void ordersAreHandledAndTheirParcelsShipped() {
        long handled = orders.handled();
        long shipped = shipments.shipped();
        call(HttpMethod.POST, "/orders?count=200", HttpStatus.ACCEPTED)
                .jsonPath("$.placed")
                .isEqualTo(200);
        until(() -> orders.handled() == handled + 200);
        until(() -> shipments.shipped() > shipped);
    }

    @Test
    void anOrderOfACustomerIsHandledAndShipped() {
        long handled = orders.handled();
        long shipped = shipments.shipped();
        post("""
                {"customer": "anna", "cents": 1999, "parcel": true}""", HttpStatus.ACCEPTED).jsonPath("$.number").isNumber();
        until(() -> orders.handled() == handled + 1 && shipments.shipped() == shipped + 1);
        client.get()
                .uri("/orders")
                .exchange()
                .expectBody()
                .jsonPath("$.handled")
                .isEqualTo(orders.handled());
    }

    @Test
    void anOrderThatBreaksItsRulesIsAProblemThatNamesThem() {
        post("""
                {"customer": " ", "cents": 0}""", HttpStatus.BAD_REQUEST)
                .jsonPath("$.detail")
                .isEqualTo("cents must be greater than 0; customer must not be blank");
    }

    @Test
    void whatIsNoOrderIsAProblem() {
        post("{", HttpStatus.BAD_REQUEST).jsonPath("$.detail").isEqualTo("Failed to read request");
    }

    @Test
    void aCountOutOfRangeIsAProblemThatNamesTheRange() {
        problem(HttpMethod.POST, "/orders?count=0", HttpStatus.BAD_REQUEST, "count must be greater than or equal to 1");
        problem(
                HttpMethod.POST,
                "/orders?count=100001",
                HttpStatus.BAD_REQUEST,
                "count must be less than or equal to 100000");
    }

    @Test
    void poisonBecomesDeadLettersAndARedriveBringsThemBack() throws Exception {
        problem(HttpMethod.POST, "/controls/redrive", HttpStatus.CONFLICT, "There are no dead letters");
        long handled = orders.handled();
        double retried = count("batchsqs.listener.released");
        double received = count("batchsqs.listener.received");
        long retries = listener("orders").at("/totals/retries").asLong();
        call(HttpMethod.POST, "/controls/poison", HttpStatus.OK)
                .jsonPath("$.sent")
                .isEqualTo(10);
        // The neighbours of poison are handled
        call(HttpMethod.POST, "/orders?count=20", HttpStatus.ACCEPTED);
        until(() -> deadLetters.count() == 10);
        until(() -> orders.handled() == handled + 20);
        until(() -> count("batchsqs.listener.released") - retried == 10 * 3);
        // Each was retried twice; the third time it became a dead letter. A retry is a receive that is not the first
        JsonNode page = awaitOf("orders", each -> each.at("/totals/retries").asLong() >= retries + 10 * 2);
        assertThat(page.at("/totals/retries").asDouble() - retries)
                .isLessThanOrEqualTo(count("batchsqs.listener.received") - received - 10 - 20);

        call(HttpMethod.POST, "/controls/redrive", HttpStatus.OK)
                .jsonPath("$.moving")
                .isEqualTo(10);
        until(() -> orders.handled() == handled + 30);
        until(() -> deadLetters.count() == 0);
    }

    @Test
    void ordersThatAreSentTwiceTakeEffectOnce() {
        long handled = orders.handled();
        long stored = storedOrders();
        double acknowledged = count("batchsqs.listener.acknowledged");
        long skipped = duplicates("orders").asLong();
        call(HttpMethod.POST, "/controls/duplicates", HttpStatus.OK)
                .jsonPath("$.orders")
                .isEqualTo(10);
        until(() -> count("batchsqs.listener.acknowledged") == acknowledged + 20);
        assertThat(orders.handled()).isEqualTo(handled + 10);
        assertThat(storedOrders()).isEqualTo(stored + 10);
        until(() -> duplicates("orders").asLong() == skipped + 10);
        assertThat(duplicates("shipments").isNull()).isTrue();
    }

    @Test
    void messagesThatSqsDoesNotAcceptWaitInTheOutbox() throws Exception {
        String url = server.createQueue(request -> request.queueName("closed")).queueUrl();
        sqs.sendAndWait("closed", "found");
        server.deleteQueue(request -> request.queueUrl(url));
        transactions.executeWithoutResult(status -> {
            CompletableFuture<SendResult> unused = sqs.send("closed", "a message");
        });
        until(() -> unsentRows() == 1);
        call(HttpMethod.GET, "/actuator/batchsqsoutbox", HttpStatus.OK)
                .jsonPath("$.waiting")
                .isEqualTo(1)
                .jsonPath("$.failedMessages")
                .isEmpty();
        call(HttpMethod.DELETE, "/actuator/batchsqsoutbox/1", HttpStatus.NOT_FOUND);
        assertThat(database.sql("DELETE FROM batchsqs_outbox").update()).isEqualTo(1);
        assertThat(unsentRows()).isZero();
    }

    @Test
    void poisonLeavesNothingInTheDatabaseUntilItIsRedriven() {
        long stored = storedOrders();
        call(HttpMethod.POST, "/controls/poison", HttpStatus.OK);
        call(HttpMethod.POST, "/orders?count=20", HttpStatus.ACCEPTED);
        until(() -> deadLetters.count() == 10 && storedOrders() == stored + 20);
        call(HttpMethod.POST, "/controls/redrive", HttpStatus.OK);
        until(() -> storedOrders() == stored + 30);
    }

    @Test
    void goodsThatArriveComeOutOfTheirEnvelope() {
        long pieces = stock.pieces();
        call(HttpMethod.POST, "/controls/arrivals", HttpStatus.OK)
                .jsonPath("$.pieces")
                .isEqualTo(12);
        until(() -> stock.pieces() == pieces + 12);
    }

    @Test
    void aSlowedHandlerOutlivesItsLeasesBecauseTheyAreExtended() {
        long handled = orders.handled();
        double extended = count("batchsqs.listener.lease.extended");
        double received = count("batchsqs.listener.received");
        double lost = count("batchsqs.listener.lease.lost");
        call(HttpMethod.PUT, "/controls/pace?slow=true", HttpStatus.OK)
                .jsonPath("$.slow")
                .isEqualTo(true);
        call(HttpMethod.POST, "/orders?count=5", HttpStatus.ACCEPTED);
        // Each was extended twice, at half of its lease, so each is held for longer than the lease was
        until(() -> count("batchsqs.listener.lease.extended") >= extended + 2 * 5);
        assertThat(orders.handled()).isEqualTo(handled);
        call(HttpMethod.PUT, "/controls/pace?slow=false", HttpStatus.OK);
        until(() -> orders.handled() == handled + 5);
        // A machine that stalls for half of a lease loses it, which is counted
        assertThat(count("batchsqs.listener.received") - received - 5)
                .isBetween(0.0, count("batchsqs.listener.lease.lost") - lost);
    }

    @Test
    void aPausedListenerLeavesItsMessagesInTheQueue() {
        long handled = orders.handled();
        call(HttpMethod.POST, "/controls/listeners/orders/pause", HttpStatus.OK)
                .jsonPath("$.state")
                .isEqualTo("PAUSED");
        problem(
                HttpMethod.POST,
                "/controls/listeners/orders/pause",
                HttpStatus.CONFLICT,
                "The listener orders is PAUSED, not RUNNING");
        call(HttpMethod.POST, "/orders?count=30", HttpStatus.ACCEPTED);
        until(() -> listener("orders").at("/depth/waiting").asInt() == 30);
        assertThat(orders.handled()).isEqualTo(handled);
        call(HttpMethod.POST, "/controls/listeners/orders/resume", HttpStatus.OK)
                .jsonPath("$.state")
                .isEqualTo("RUNNING");
        until(() -> orders.handled() == handled + 30);
    }

    @Test
    void anUnknownListenerIsAProblem() {
        problem(
                HttpMethod.POST,
                "/controls/listeners/nobody/pause",
                HttpStatus.NOT_FOUND,
                "There is no listener nobody");
    }

    @Test
    void nothingIsLostWhenTheServerIsCutOff() {
        long handled = orders.handled();
        long failed = failedCalls();
        call(HttpMethod.POST, "/controls/outage", HttpStatus.OK)
                .jsonPath("$.seconds")
                .isEqualTo(10);
        problem(HttpMethod.POST, "/controls/outage", HttpStatus.CONFLICT, "The server is cut off already");
        until(() -> failedCalls() > failed);
        until(() -> live().at("/controls/outage").asBoolean());
        until(() -> listener("orders").at("/depth").isNull()); // nobody knows it now
        // Sent now, accepted when the server answers again
        call(HttpMethod.POST, "/orders?count=100", HttpStatus.ACCEPTED);
        until(() -> !live().at("/controls/outage").asBoolean());
        // A call that was cut off after SQS had accepted it is made again
        until(() -> orders.handled() >= handled + 100);
    }

    @Test
    void thePageIsToldTheNumbersAndTheyMove() {
        JsonNode first = live();
        assertThat(first.at("/listeners").findValuesAsString("id")).containsExactly("orders", "shipments", "stock");
        assertThat(first.at("/controls/noOutage").isNull()).isTrue();
        long number = first.at("/number").asLong();
        JsonNode later = Progress.untilMatches(
                () -> live(number), each -> each.at("/number").asLong() > number);
        assertThat(later.at("/past").size())
                .isEqualTo((int) (later.at("/number").asLong() - number))
                .isLessThanOrEqualTo(120);
        call(HttpMethod.POST, "/orders?count=500", HttpStatus.ACCEPTED);
        JsonNode working = awaitOf(
                "orders",
                each -> each.at("/recent/perSecond").asDouble() > 0
                        && each.at("/recent/batch").asDouble() > 1
                        && each.at("/recent/deleteBatch").asDouble() > 1);
        assertThat(working.at("/recent/deleteBatch").asDouble()).isGreaterThan(1);
        assertThat(working.at("/recent/delay/p99").asDouble())
                .isGreaterThanOrEqualTo(working.at("/recent/delay/median").asDouble());
        assertThat(working.at("/limits/batch").asInt()).isEqualTo(100);
    }

    @Test
    void theNumbersOfThePageAreThoseOfTheActuator() {
        call(HttpMethod.POST, "/orders?count=500", HttpStatus.ACCEPTED);
        double before = count("batchsqs.listener.acknowledged");
        JsonNode page = awaitOf("orders", each -> each.at("/totals/handled").asDouble() >= before);
        assertThat(page.at("/now/inFlight").asInt())
                .isLessThanOrEqualTo(page.at("/limits/inFlight").asInt());
        assertThat(page.at("/now/blockedPollers").asInt())
                .isLessThanOrEqualTo(page.at("/now/pollers").asInt());
        until(() -> listener("orders").at("/totals/handled").asDouble() == count("batchsqs.listener.acknowledged"));
        JsonNode idle = awaitOf("orders", each -> each.at("/recent/delay").isNull());
        assertThat(idle.at("/recent/perSecond").asDouble()).isNotNegative();
    }

    @Test
    void anIdleListenerCostsNoCallsPerMessage() {
        call(HttpMethod.POST, "/controls/arrivals", HttpStatus.OK);
        JsonNode first = awaitOf(
                "stock", each -> each.at("/totals/handled").asLong() > 0); // calls of an outage count until here
        long handled = first.at("/totals/handled").asLong();
        call(HttpMethod.POST, "/controls/arrivals", HttpStatus.OK);
        JsonNode second = awaitOf("stock", each -> each.at("/totals/handled").asLong() > handled);
        assertThat(second.at("/totals/calls").asLong()
                        - first.at("/totals/calls").asLong())
                .isLessThanOrEqualTo(4);
    }

    @Test
    void thePageAndItsChartsAreServed() {
        for (String path : List.of("/", "/live.css", "/live.js", "/webjars/chart.js/dist/chart.umd.min.js")) {
            client.get().uri(path).exchange().expectStatus().isOk();
        }
    }

    private BodyContentSpec call(HttpMethod method, String path, HttpStatus expected) {
        return client.method(method)
                .uri(path)
                .exchange()
                .expectStatus()
                .isEqualTo(expected)
                .expectBody();
    }

    private BodyContentSpec post(String order, HttpStatus expected) {
        return client.post()
                .uri("/orders")
                .contentType(MediaType.APPLICATION_JSON)
                .body(order)
                .exchange()
                .expectStatus()
                .isEqualTo(expected)
                .expectBody();
    }

    private void problem(HttpMethod method, String path, HttpStatus expected, String detail) {
        client.method(method)
                .uri(path)
                .exchange()
                .expectStatus()
                .isEqualTo(expected)
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .expectBody()
                .jsonPath("$.detail")
                .isEqualTo(detail);
    }

    private JsonNode listener(String id) {
        return live().at("/listeners")
                .valueStream()
                .filter(each -> each.at("/id").asString().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private JsonNode duplicates(String listener) {
        return listener(listener).at("/totals/duplicates");
    }

    private long unsentRows() {
        return database.sql("SELECT COUNT(*) FROM batchsqs_outbox")
                .query(Long.class)
                .single();
    }

    private long storedOrders() {
        return database.sql("SELECT COUNT(*) FROM shop_order").query(Long.class).single();
    }

    private JsonNode awaitOf(String id, Predicate<JsonNode> condition) {
        return Progress.untilMatches(() -> listener(id), condition);
    }

    private JsonNode live() {
        return live(0);
    }

    private JsonNode live(long since) {
        byte[] body = client.get()
                .uri("/live?since=" + since)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .returnResult()
                .getResponseBody();
        return json.readTree(Objects.requireNonNull(body));
    }

    private double count(String counter) {
        return meters.get(counter).tag("listener", "orders").counter().count();
    }

    private long failedCalls() {
        return meters.find("batchsqs.api.calls").timers().stream()
                .filter(each -> !"success".equals(each.getId().getTag("outcome")))
                .mapToLong(Timer::count)
                .sum();
    }

    private static void until(Callable<Boolean> condition) {
        Progress.until(condition);
    }
}
