/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.internal.support.Words;
import io.github.batchsqs.jdbc.internal.Database;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * The endpoint {@code batchsqsoutbox}: reports the outbox, and retries, parks and deletes its messages where its access is
 * {@code unrestricted}. By default it is {@code read-only}.
 *
 * <p>The response to a failed request is a {@link WebEndpointResponse} with an {@code error}: 404 if there is no such message,
 * 400 for an invalid request, 503 if the database fails. All operations run on the caller's thread, in a transaction of at most 10 s.
 */
@Endpoint(id = "batchsqsoutbox", defaultAccess = Access.READ_ONLY)
public final class BatchSqsOutboxEndpoint {

    private static final String RETRY = "retry";
    private static final String PARK = "park";
    private static final String ALL = "all";
    private static final int MAX_MESSAGES = 100;

    private final OutboxStore store;
    private final Relay relay;

    BatchSqsOutboxEndpoint(OutboxStore store, Relay relay) {
        this.store = store;
        this.relay = relay;
    }

    /** {@return an {@link OutboxReport}} */
    @ReadOperation
    public Object outbox() {
        return respond(() -> {
            OutboxTable.Backlog backlog = store.in(OutboxTable::backlog);
            return new OutboxReport(
                    relay.isRunning(),
                    Words.measured(relay.failingFor()),
                    backlog.waiting(),
                    Words.measured(backlog.oldest()),
                    backlog.failed(),
                    store.in(table -> table.messages(false, MAX_MESSAGES)),
                    store.in(table -> table.messages(true, MAX_MESSAGES)));
        });
    }

    /**
     * Sends a message again, after the pause of its queue if that fails, or parks it: a parked message counts as failed and is not sent.
     *
     * @param id the id of a message, or {@code all} to send all failed ones again
     * @param operation {@code retry} or {@code park}
     * @return how many, as {@code retried} or {@code parked}, or an error
     */
    @WriteOperation
    public Object change(@Selector String id, @Selector String operation) {
        return switch (operation) {
            case RETRY ->
                id.equals(ALL)
                        ? respond(() -> woken(Map.of("retried", store.in(table -> table.retry(null)))))
                        : one(id, " or " + ALL, "retried", OutboxTable::retry);
            case PARK -> one(id, "", "parked", OutboxTable::park);
            default ->
                error(
                        WebEndpointResponse.STATUS_BAD_REQUEST,
                        "Unknown operation '" + operation + "'; there are " + RETRY + " and " + PARK);
        };
    }

    private Object woken(Object response) {
        relay.wake();
        return response;
    }

    /**
     * Deletes a message. It is lost then, unless it is being sent at this moment.
     *
     * @param id the id of a message
     * @return {@code deleted}, or an error
     */
    @DeleteOperation
    public Object delete(@Selector String id) {
        return one(id, "", "deleted", (table, row) -> table.delete(List.of(row)));
    }

    /** Changes one row; {@code change} returns how many there were. */
    private Object one(String id, String orAll, String done, BiFunction<OutboxTable, Long, Integer> change) {
        Long row;
        try {
            row = Long.valueOf(id);
        } catch (NumberFormatException notANumber) {
            return error(
                    WebEndpointResponse.STATUS_BAD_REQUEST,
                    "id must be the id of a message" + orAll + ", but is '" + id + "'; the report names the ids");
        }
        return respond(() -> store.in(table -> change.apply(table, row)) == 1
                ? woken(Map.of(done, 1))
                : error(
                        WebEndpointResponse.STATUS_NOT_FOUND,
                        "The outbox has no such message with the id " + id + "; the report names the ids"));
    }

    private static Object respond(Supplier<Object> work) {
        try {
            return work.get();
        } catch (DataAccessException | TransactionException failed) {
            return error(
                    WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE,
                    "The database of the outbox failed: " + Database.reason(failed)
                            + "; try again when it is available");
        }
    }

    private static WebEndpointResponse<Map<String, String>> error(int status, String message) {
        return new WebEndpointResponse<>(Map.of("error", message), status);
    }
}
