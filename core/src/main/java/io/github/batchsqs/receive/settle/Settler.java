/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.settle;

import io.github.batchsqs.BatchSqsException;
import io.github.batchsqs.batch.Batcher;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.receive.fetch.Delivery;
import io.github.batchsqs.receive.fetch.InFlightLedger;
import io.github.batchsqs.receive.fetch.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out what is to become of messages: deletes, visibility changes and dead letters, each gathered into batches.
 *
 * <p>A message is settled once; whoever comes later is told so by {@link Delivery#settle} and does nothing. On a FIFO queue
 * a message that is given back or left takes everything behind it in its group along, last first, and nothing behind it is
 * deleted.
 *
 * <p>Safe for use by any thread. Blocks only where a FIFO message goes to a dead-letter queue: what follows it may be
 * deleted only after that was accepted.
 */
public final class Settler {

    private static final Logger log = LoggerFactory.getLogger(Settler.class);

    private final SettleSettings settings;
    private final InFlightLedger ledger;
    private final Calls calls;
    private final Deleter deleter;
    private final VisibilityChanger changer;
    private final @Nullable DeadLetters deadLetters;
    private final Function<String, List<Delivery>> withdraw;

    /**
     * Makes a settler.
     *
     * @param deadLetterQueue where messages go that are never to be handled, or {@code null} to leave them to the queue
     * @param withdraw removes and returns what waits of a lane
     */
    public Settler(
            SettleSettings settings,
            InFlightLedger ledger,
            @Nullable Queue deadLetterQueue,
            Function<String, List<Delivery>> withdraw,
            Calls calls) {
        this.settings = settings;
        this.ledger = ledger;
        this.calls = calls;
        this.withdraw = withdraw;
        this.deleter = new Deleter(settings, calls, ledger);
        this.changer = new VisibilityChanger(settings, calls, ledger);
        this.deadLetters = deadLetterQueue == null ? null : new DeadLetters(settings, deadLetterQueue, calls);
    }

    /** The accumulators; the container runs their timers, flushes them on stop and closes them. */
    public List<Batcher<?, ?>> batchers() {
        List<Batcher<?, ?>> all = new ArrayList<>(List.of(deleter.batcher(), changer.batcher()));
        if (deadLetters != null) {
            all.add(deadLetters.batcher());
        }
        return all;
    }

    /**
     * Settles a batch.
     *
     * @return the messages that did not run and may run now, in order: they are to be taken back
     */
    public List<Delivery> settle(List<Delivery> batch, List<Settlement> settlements) {
        List<Delivery> takenBack = new ArrayList<>(0);
        List<Delivery> deletes = new ArrayList<>(batch.size());
        Map<String, Lane> lanes = new LinkedHashMap<>(0);
        for (int i = 0; i < batch.size(); i++) {
            Delivery delivery = batch.get(i);
            if (delivery.lane() == null) {
                settle(delivery, settlements.get(i), deletes);
            } else {
                lanes.computeIfAbsent(delivery.lane(), Lane::new)
                        .settle(delivery, settlements.get(i), deletes, takenBack);
            }
        }
        lanes.values().forEach(Lane::giveBack);
        deleter.delete(deletes);
        return takenBack;
    }

    /** Deletes messages that were handled before, when only their delete is missing. */
    public void deleteAgain(List<Delivery> deliveries) {
        List<Delivery> deletes = new ArrayList<>(deliveries.size());
        deliveries.forEach(delivery -> settle(delivery, new Settlement.Delete(), deletes));
        deleter.delete(deletes);
    }

    /** Gives messages back at once, the last first; those that are settled already are passed over. */
    public void giveBack(List<Delivery> deliveries) {
        release(deliveries, Duration.ZERO);
    }

    /** Deletes by hand; completes when SQS accepted the last delete. */
    public CompletableFuture<Void> deleteByHand(List<Delivery> deliveries) {
        return byHand(deliveries, deleter::delete);
    }

    /** Gives back by hand, last first; on FIFO what waits behind them goes back too. */
    public CompletableFuture<Void> releaseByHand(List<Delivery> deliveries, Duration after) {
        // Withdrawn first: a lane may go on as soon as its last message is gone.
        List<Delivery> behind = new ArrayList<>(0);
        deliveries.stream()
                .map(Delivery::lane)
                .filter(Objects::nonNull)
                .distinct()
                .forEach(lane -> behind.addAll(withdraw.apply(lane)));
        release(behind, after);
        List<Delivery> lastFirst = new ArrayList<>(deliveries).reversed();
        return byHand(lastFirst, granted -> changer.release(granted, after));
    }

    private static CompletableFuture<Void> byHand(
            List<Delivery> deliveries, Function<List<Delivery>, List<CompletableFuture<Void>>> settlement) {
        List<CompletableFuture<Void>> promises = new ArrayList<>(deliveries.size());
        List<Delivery> granted = new ArrayList<>(deliveries.size());
        for (Delivery delivery : deliveries) {
            CompletableFuture<Void> later = new CompletableFuture<>();
            switch (delivery.settle(
                    () -> forward(settlement.apply(List.of(delivery)).getFirst(), later))) {
                case NOW -> granted.add(delivery);
                case LATER -> {
                    delivery.settledByHand(later);
                    promises.add(later);
                }
                case TAKEN -> promises.add(settledBefore(delivery));
            }
        }
        List<CompletableFuture<Void>> now = granted.isEmpty() ? List.of() : settlement.apply(granted);
        for (int i = 0; i < now.size(); i++) {
            granted.get(i).settledByHand(now.get(i));
        }
        promises.addAll(now);
        return CompletableFuture.allOf(promises.toArray(CompletableFuture<?>[]::new));
    }

    private static CompletableFuture<Void> settledBefore(Delivery delivery) {
        CompletableFuture<Void> first = delivery.handPromise();
        return first != null
                ? first
                : CompletableFuture.failedFuture(new BatchSqsException("Message "
                        + delivery.message().id()
                        + " is no longer held here: it was given back, or its lease ended"));
    }

    /** Lets go of a message: its lease ends by itself. */
    void leave(Delivery delivery) {
        grant(delivery, left -> ledger.gone(List.of(left)));
    }

    /**
     * The handler did not settle it before its lease ended: it is let go, and what waits behind it on FIFO goes back.
     *
     * @param heldAgain whether a second receive brought a new lease, which is given back
     */
    void forgottenByHand(Delivery delivery, boolean heldAgain) {
        // Withdrawn first: its lane may go on as soon as it is gone.
        List<Delivery> behind = delivery.lane() == null ? List.of() : withdraw.apply(delivery.lane());
        if (heldAgain) {
            List<Delivery> back = new ArrayList<>(List.of(delivery));
            back.addAll(behind);
            giveBack(back);
        } else {
            leave(delivery);
            giveBack(behind);
        }
    }

    /** Extends leases whose heartbeat was begun. */
    void extend(List<Delivery> deliveries, Duration lease) {
        changer.extend(deliveries, lease);
    }

    private void settle(Delivery delivery, Settlement settlement, List<Delivery> deletes) {
        switch (settlement) {
            case Settlement.Delete delete -> {
                if (delivery.settle(() -> deleter.delete(List.of(delivery))) == Delivery.Grant.NOW) {
                    deletes.add(delivery);
                }
            }
            case Settlement.Release release -> release(List.of(delivery), release.after());
            case Settlement.DeadLetter dead -> grant(delivery, granted -> deadLetter(granted, dead));
            case Settlement.Leave leave -> leave(delivery);
            case Settlement.NotRun notRun -> release(List.of(delivery), Duration.ZERO);
            case Settlement.ByHand byHand -> delivery.leaveToHand();
        }
    }

    private void deadLetter(Delivery delivery, Settlement.DeadLetter dead) {
        CompletableFuture<?> sent = deadLetters == null
                ? CompletableFuture.failedFuture(new IllegalStateException("no dead-letter queue"))
                : deadLetters.send(delivery, dead.cause());
        CompletableFuture<?> ignored = sent.whenComplete((accepted, failure) -> {
            if (failure == null) {
                calls.events().deadLettered();
                deleter.delete(List.of(delivery));
            } else {
                notDeadLettered(delivery, failure);
                changer.release(List.of(delivery), dead.otherwise());
            }
        });
    }

    private void notDeadLettered(Delivery delivery, Throwable failure) {
        if (deadLetters != null) {
            log.error(
                    "Listener {}: message {} of {} was not accepted by the dead-letter queue ({}); it is given back",
                    settings.listener(),
                    delivery.message().id(),
                    settings.queue().name(),
                    failure.getMessage());
        }
    }

    /** Gives back, the last first. */
    private void release(List<Delivery> deliveries, Duration after) {
        List<Delivery> now = new ArrayList<>(deliveries.size());
        for (Delivery delivery : deliveries.reversed()) {
            if (delivery.settle(() -> changer.release(List.of(delivery), after)) == Delivery.Grant.NOW) {
                now.add(delivery);
            }
        }
        if (!now.isEmpty()) {
            changer.release(now, after);
        }
    }

    private static void forward(CompletableFuture<Void> from, CompletableFuture<Void> to) {
        CompletableFuture<Void> ignored = from.whenComplete((value, failure) -> {
            if (failure == null) {
                to.complete(null);
            } else {
                to.completeExceptionally(failure);
            }
        });
    }

    private static void grant(Delivery delivery, Consumer<Delivery> settlement) {
        if (delivery.settle(() -> settlement.accept(delivery)) == Delivery.Grant.NOW) {
            settlement.accept(delivery);
        }
    }

    /** One lane of a batch, settled in order. */
    private final class Lane {

        private final String key;
        private final List<Delivery> back = new ArrayList<>(0);
        private @Nullable Settlement stoppedBy;
        private boolean notRun;
        private boolean byHand;

        Lane(String key) {
            this.key = key;
        }

        void settle(Delivery delivery, Settlement settlement, List<Delivery> deletes, List<Delivery> takenBack) {
            if (stoppedBy != null) {
                back.add(delivery);
                return;
            }
            if (notRun) {
                takenBack.add(delivery); // not even to the dead-letter queue before what is ahead of it has run
                return;
            }
            switch (settlement) {
                case Settlement.Release release -> stop(delivery, release);
                case Settlement.Leave leave -> stop(delivery, leave);
                case Settlement.NotRun behindDeadLetter -> {
                    if (byHand) {
                        stop(delivery, new Settlement.Release(Duration.ZERO)); // what is ahead of it may yet fail
                    } else {
                        notRun = true;
                        takenBack.add(delivery);
                    }
                }
                case Settlement.DeadLetter dead -> {
                    if (!deadLetterNow(delivery, dead)) {
                        stop(delivery, new Settlement.Release(dead.otherwise()));
                    }
                }
                case Settlement.Delete delete -> Settler.this.settle(delivery, delete, deletes);
                case Settlement.ByHand handler -> {
                    byHand = true;
                    Settler.this.settle(delivery, handler, deletes);
                }
            }
        }

        private void stop(Delivery delivery, Settlement settlement) {
            stoppedBy = settlement;
            back.add(delivery);
        }

        /** Whether it is out of the way: accepted by the dead-letter queue, or settled by others before. */
        private boolean deadLetterNow(Delivery delivery, Settlement.DeadLetter dead) {
            if (deadLetters == null) {
                return false;
            }
            try {
                calls.await().await(deadLetters.send(delivery, dead.cause()));
                calls.events().deadLettered();
                grant(delivery, granted -> deleter.delete(List.of(granted)));
                return true;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            } catch (ExecutionException e) {
                notDeadLettered(delivery, Objects.requireNonNullElse(e.getCause(), e));
                return false;
            }
        }

        void giveBack() {
            if (stoppedBy == null) {
                return;
            }
            back.addAll(withdraw.apply(key));
            if (stoppedBy instanceof Settlement.Release release) {
                release(back, release.after());
            } else {
                back.forEach(Settler.this::leave);
            }
        }
    }
}
