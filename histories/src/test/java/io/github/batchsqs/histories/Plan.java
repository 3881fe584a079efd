/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories;

import io.github.batchsqs.histories.Step.Act;
import io.github.batchsqs.histories.Step.CallFault;
import io.github.batchsqs.histories.Step.Deed;
import io.github.batchsqs.histories.Step.Fault;
import io.github.batchsqs.histories.Step.Manner;
import io.github.batchsqs.histories.Step.Outage;
import io.github.batchsqs.histories.Step.Send;
import io.github.batchsqs.histories.Step.Treat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What a seed makes of a history: a setup, and the steps.
 *
 * @param seed what decides everything, the order of threads included
 * @param setup the queue and the listener
 * @param steps what happens
 */
record Plan(long seed, Setup setup, List<Step> steps) {

    /** After this time nothing goes wrong any more. */
    static final long PEACE = Duration.ofSeconds(60).toNanos();

    private static final long MAX_WORK = Duration.ofSeconds(25).toNanos();

    private static final String[] OPERATIONS = {"receive", "receive", "delete", "delete", "visibility", "send"};

    static Plan of(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Setup setup = Setup.of(random);
        Maker maker = new Maker(random, setup);
        maker.messages();
        if (random.nextInt(5) > 0) {
            maker.handlers();
        }
        if (random.nextInt(4) > 0) {
            maker.calls();
        }
        if (random.nextInt(3) > 0) {
            maker.deeds();
        }
        return new Plan(seed, setup, maker.steps);
    }

    Plan with(List<Step> some) {
        return new Plan(seed, setup, some);
    }

    /** Whether peace comes late, also if nothing is left to do, and lasts: what happens to idle listeners. */
    boolean patient() {
        return seed % 4 == 0;
    }

    /** Whether all payloads are stored outside of SQS. */
    boolean stored() {
        return seed / 4 % 4 == 0;
    }

    /** Whether interceptors, error hooks and executors of the application do what they should not. */
    boolean rude() {
        return !calm() && seed % 5 == 0 && Ingredient.isUsed(Ingredient.FAILURES);
    }

    /** After this time all that happens is what calls and handlers do. */
    long lastStep() {
        return steps.stream()
                .mapToLong(step -> switch (step) {
                    case Send send -> send.at();
                    case Act act -> act.at();
                    case Outage outage -> outage.at() + outage.length();
                    default -> 0;
                })
                .max()
                .orElse(0);
    }

    /** How often a message waits for the end of the extensions of its lease. */
    int runsWithoutAcknowledgement() {
        return steps.stream()
                .mapToInt(step ->
                        step instanceof Treat treat && treat.manner() == Manner.ACKNOWLEDGE_NEVER ? treat.runs() : 0)
                .sum();
    }

    /** Whether nothing in it disturbs leases, calls or instances. */
    boolean calm() {
        return !stored()
                && steps.stream()
                        .allMatch(step -> step instanceof Send
                                || (step instanceof Treat treat
                                        && (treat.manner() == Manner.SLEEP
                                                || treat.manner() == Manner.COMPUTE
                                                || treat.manner() == Manner.ACKNOWLEDGE_LATE)));
    }

    private static final class Maker {

        private final SplittableRandom random;
        private final Setup setup;
        private final List<Step> steps = new ArrayList<>();
        private final List<String> bodies = new ArrayList<>();

        Maker(SplittableRandom random, Setup setup) {
            this.random = random;
            this.setup = setup;
        }

        void messages() {
            int count = 1 + random.nextInt(random.nextInt(4) == 0 ? 60 : 20);
            int groups = 1 + random.nextInt(4);
            int[] places = new int[groups];
            for (int i = 0; i < count; i++) {
                int group = random.nextInt(groups);
                String type = random.nextBoolean() ? "A" : "B";
                String body = setup.fifo() ? type + "-g" + group + "-" + places[group]++ : type + "-m" + i;
                bodies.add(body);
                long at = random.nextInt(3) == 0 ? random.nextLong(20_000_000_000L) : 1_000_000L * i;
                steps.add(new Send(at, body, setup.fifo() ? "g" + group : null));
            }
        }

        void handlers() {
            List<Manner> manners = new ArrayList<>();
            add(manners, Ingredient.FAILURES, Manner.THROW, Manner.THROW_ERROR, Manner.RETRY, Manner.RETRY_LATER);
            add(manners, Ingredient.SLOW, Manner.SLEEP, Manner.SLEEP);
            add(manners, Ingredient.STUBBORN, Manner.STUBBORN);
            add(manners, Ingredient.COMPUTING, Manner.COMPUTE);
            add(manners, Ingredient.POISON, Manner.DEAD_LETTER, Manner.UNREADABLE);
            if (setup.manual()) {
                add(
                        manners,
                        Ingredient.ODD_ACKNOWLEDGEMENTS,
                        Manner.ACKNOWLEDGE_LATE,
                        Manner.ACKNOWLEDGE_LATE,
                        Manner.ACKNOWLEDGE_TWICE,
                        Manner.ACKNOWLEDGE_NEVER,
                        Manner.NACK);
            }
            if (manners.isEmpty()) {
                return;
            }
            Manner all = random.nextInt(4) == 0 ? manners.get(random.nextInt(manners.size())) : null;
            for (String body : bodies) {
                if (all != null || random.nextInt(5) == 0) {
                    Manner manner = all != null ? all : manners.get(random.nextInt(manners.size()));
                    double leases = 3 * random.nextDouble() * random.nextDouble();
                    long nanos = Math.min(MAX_WORK, (long) (setup.lease().toNanos() * leases));
                    int runs = random.nextInt(8) == 0
                                    && manner != Manner.ACKNOWLEDGE_NEVER
                                    && Ingredient.isUsed(Ingredient.POISON)
                            ? 99
                            : 1 + random.nextInt(2);
                    steps.add(new Treat(body, runs, manner, nanos));
                }
            }
        }

        private static void add(List<Manner> manners, Ingredient ingredient, Manner... more) {
            if (Ingredient.isUsed(ingredient)) {
                manners.addAll(List.of(more));
            }
        }

        void calls() {
            List<Fault> faults = new ArrayList<>();
            add(faults, Ingredient.LOST_BEFORE, Fault.LOST_BEFORE);
            add(faults, Ingredient.LOST_AFTER, Fault.LOST_AFTER);
            add(faults, Ingredient.LATE, Fault.LATE);
            add(faults, Ingredient.THROTTLED, Fault.THROTTLED);
            add(faults, Ingredient.ENTRIES, Fault.ENTRY_REFUSED, Fault.ENTRY_MISSING);
            if (!setup.fifo()) {
                add(faults, Ingredient.DUPLICATES, Fault.DUPLICATE);
            }
            if (faults.isEmpty()) {
                return;
            }
            int count = random.nextInt(random.nextInt(3) == 0 ? 30 : 6);
            for (int i = 0; i < count; i++) {
                String operation = OPERATIONS[random.nextInt(OPERATIONS.length)];
                Fault fault = faults.get(random.nextInt(faults.size()));
                steps.add(new CallFault(random.nextInt(setup.instances()), operation, 1 + random.nextInt(15), fault));
            }
            if (Ingredient.isUsed(Ingredient.OUTAGE) && random.nextInt(5) == 0) {
                Fault fault = faults.get(random.nextInt(faults.size()));
                steps.add(new Outage(
                        random.nextInt(setup.instances()),
                        random.nextLong(30_000_000_000L),
                        random.nextLong(25_000_000_000L),
                        fault));
            }
        }

        private static void add(List<Fault> faults, Ingredient ingredient, Fault... more) {
            if (Ingredient.isUsed(ingredient)) {
                faults.addAll(List.of(more));
            }
        }

        void deeds() {
            int count = 1 + random.nextInt(5);
            for (int i = 0; i < count; i++) {
                int instance = random.nextInt(setup.instances());
                long at = random.nextLong(random.nextBoolean() ? 5_000_000_000L : 40_000_000_000L);
                long later = at + random.nextLong(15_000_000_000L);
                switch (random.nextInt(8)) {
                    case 0, 1 -> pair(Ingredient.STOP, instance, at, Deed.STOP, later, Deed.START);
                    case 2 -> pair(Ingredient.KILL, instance, at, Deed.KILL, later, Deed.START);
                    case 3 -> pair(Ingredient.PAUSE, instance, at, Deed.PAUSE, later, Deed.RESUME);
                    case 4 -> one(Ingredient.CHANGE, instance, at, Deed.CONCURRENCY, 1 + random.nextInt(10));
                    case 5 -> one(Ingredient.CHANGE, instance, at, Deed.POLLERS, 1 + random.nextInt(4));
                    case 6 -> pair(Ingredient.GATE, instance, at, Deed.CLOSE_GATE, later, Deed.OPEN_GATE);
                    default -> {
                        if (setup.customExecutor()) {
                            pair(Ingredient.REFUSALS, instance, at, Deed.REFUSE, later, Deed.ACCEPT);
                        }
                    }
                }
            }
        }

        private void pair(Ingredient ingredient, int instance, long at, Deed deed, long later, @Nullable Deed back) {
            one(ingredient, instance, at, deed, 0);
            if (back != null) {
                one(ingredient, instance, later, back, 0);
            }
        }

        private void one(Ingredient ingredient, int instance, long at, Deed deed, int value) {
            if (Ingredient.isUsed(ingredient)) {
                steps.add(new Act(at, instance, deed, value));
            }
        }
    }
}
