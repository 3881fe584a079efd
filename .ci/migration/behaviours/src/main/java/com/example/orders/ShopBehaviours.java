package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** What the application does, whichever library its listeners and its sender use. */
@SpringBootTest
public abstract class ShopBehaviours {

    /** Longer than any visibility timeout that a test waits for. */
    private static final Duration SOON = Duration.ofSeconds(20);

    /** A failed message of these queues is delivered again before a test gives up. */
    private static final int SHORT = 2;

    /** One of these is not, unless somebody changes its visibility. */
    private static final int LONG = 60;

    private static final Servers SERVERS = new Servers();

    static {
        List.of("orders", "archive", "events", "approvals", "statements", "invoices", "returns", "documents")
                .forEach(queue -> SERVERS.createQueue(queue, SHORT));
        SERVERS.createQueue("shipments.fifo", SHORT);
        List.of("reports", "prices").forEach(queue -> SERVERS.createQueue(queue, LONG));
    }

    @Autowired
    private Shop shop;

    @Autowired
    private Journal journal;

    @DynamicPropertySource
    static void servers(DynamicPropertyRegistry properties) {
        properties.add("spring.cloud.aws.region.static", () -> "eu-west-1");
        properties.add("spring.cloud.aws.credentials.access-key", () -> "test");
        properties.add("spring.cloud.aws.credentials.secret-key", () -> "test");
        properties.add("spring.cloud.aws.sqs.endpoint", SERVERS::sqs);
        properties.add("spring.cloud.aws.s3.endpoint", SERVERS::s3);
        properties.add("spring.cloud.aws.s3.path-style-access-enabled", () -> true);
    }

    @Test
    void batchesAreHandledWithTheirHeaders() throws Exception {
        List<Order> orders = IntStream.rangeClosed(1, 10)
                .mapToObj(number -> new Order(number, "anna"))
                .toList();
        shop.placeAll(orders, "acme");
        until(() -> journal.of("orders").size() == 10 && SERVERS.isDrained("orders"));
        assertThat(journal.of("orders"))
                .containsExactlyInAnyOrderElementsOf(orders.stream()
                        .map(order -> order.number() + " of acme")
                        .toList());
    }

    @Test
    void receivingFromAQueueDeletesTheMessage() throws Exception {
        for (int number = 1; number <= 3; number++) {
            shop.send("archive", new Order(number, "anna"));
        }
        List<Order> taken = new ArrayList<>();
        taken.add(shop.takeOne("archive").orElseThrow());
        while (taken.size() < 3) {
            taken.addAll(shop.take("archive"));
        }
        assertThat(taken).extracting(Order::number).containsExactlyInAnyOrder(1, 2, 3);
        until(() -> SERVERS.isDrained("archive"));
    }

    @Test
    void eachTypeOfEventHasItsHandler() throws Exception {
        shop.announce(new OrderPlaced(1));
        shop.announce(new OrderCancelled(2, "too late"));
        shop.announceText("the shop is closed");
        until(() -> journal.of("events").size() == 3 && SERVERS.isDrained("events"));
        assertThat(journal.of("events"))
                .containsExactlyInAnyOrder("placed 1", "cancelled 2: too late", "other: the shop is closed");
    }

    @Test
    void aMessageThatIsNotAcknowledgedComesAgain() throws Exception {
        shop.send("approvals", new Order(1, "anna"));
        until(() -> journal.of("approvals").size() == 2 && SERVERS.isDrained("approvals"));
        assertThat(journal.of("approvals")).containsExactly("1", "1");
    }

    @Test
    void theUnacknowledgedPartOfABatchComesAgain() throws Exception {
        shop.send("statements", new Order(1, "anna"));
        shop.send("statements", new Order(2, "anna"));
        until(() -> SERVERS.isDrained("statements"));
        // Even numbers are acknowledged at once
        assertThat(journal.of("statements")).containsExactlyInAnyOrder("1", "1", "2");
    }

    @Test
    void theHandlerChoosesWhenAFailedMessageComesAgain() throws Exception {
        shop.send("reports", new Order(1, "anna"));
        until(() -> journal.of("reports").size() == 2 && SERVERS.isDrained("reports"));
    }

    @Test
    void aTextOfAnotherSystemIsConverted() {
        SERVERS.send("prices", "tea;120");
        until(() -> journal.of("prices").contains("tea costs 120") && SERVERS.isDrained("prices"));
    }

    @Test
    void aMessageIsRetriedWithABackoff() {
        SERVERS.send("prices", "coffee;0");
        until(() -> journal.of("free prices").size() == 2 && SERVERS.isDrained("prices"));
    }

    @Test
    void aRejectedOrderIsSkippedAndAnyOtherFailureIsRetried() throws Exception {
        shop.send("invoices", new Order(-1, "anna"));
        shop.send("invoices", new Order(13, "anna"));
        until(() -> journal.of("invoices").size() == 3 && SERVERS.isDrained("invoices"));
        assertThat(journal.of("invoices")).containsExactlyInAnyOrder("-1", "13", "13");
        assertThat(journal.of("skipped")).containsExactly("-1");
    }

    @Test
    void everyMessageIsSeenBeforeAndAfterItsHandler() throws Exception {
        shop.send("returns", new Order(1, "anna"));
        until(() -> journal.of("after").contains("returns") && SERVERS.isDrained("returns"));
        assertThat(journal.of("before")).contains("returns");
    }

    @Test
    void aListenerInKotlinHandlesOrders() throws Exception {
        shop.send("returns", new Order(2, "berta"));
        until(() -> journal.of("returns").contains("2 of berta") && SERVERS.isDrained("returns"));
    }

    @Test
    void aShipmentThatFailsDelaysItsGroupAlone() throws Exception {
        for (int number = 1; number <= 3; number++) {
            shop.ship(new Order(number, "anna"));
            shop.ship(new Order(10 * number, "berta"));
        }
        until(() -> journal.of("shipped to anna").size() == 3
                && journal.of("shipped to berta").size() == 3
                && SERVERS.isDrained("shipments.fifo"));
        assertThat(journal.of("shipped to anna")).containsExactly("1", "2", "3");
        assertThat(journal.of("shipped to berta")).containsExactly("10", "20", "30");
        assertThat(journal.of("shipments")).filteredOn("1"::equals).hasSize(2);
    }

    @Test
    void aLargeDocumentTravelsThroughS3() throws Exception {
        int stored = SERVERS.stored();
        shop.store(new Document("terms", "x".repeat(1_500_000)));
        until(() -> journal.of("documents").contains("terms: 1500000") && SERVERS.isDrained("documents"));
        assertThat(SERVERS.stored()).isEqualTo(stored + 1);
        until(() -> SERVERS.objects() == 0);
    }

    @Test
    void aMissingQueueIsCreatedByItsListener() {
        until(() -> SERVERS.isDrained("audits"));
        SERVERS.send("audits", "started");
        until(() -> journal.of("audits").contains("started") && SERVERS.isDrained("audits"));
    }

    private static void until(Callable<Boolean> condition) {
        await().atMost(SOON).until(condition);
    }
}
