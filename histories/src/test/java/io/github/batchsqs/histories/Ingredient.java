/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a history may be made of. While a defect is open, {@link #OPEN} names the ingredient that shows it, and no plan has it; who mends
 * the defect removes the name, and with it the only way in which the defect could stay unnoticed. {@code -Dbatchsqs.history.with=COMPUTING} adds an ingredient that is left out, and {@code -Dbatchsqs.history.only} leaves out all others.
 */
enum Ingredient {
    /** Handlers that keep the carriers of their instance busy. */
    COMPUTING,
    /** Handlers by type whose parts are acknowledged by the handler. */
    BY_TYPE_MANUAL,
    /** Calls that get no response although they took effect. */
    LOST_AFTER,
    /** Calls that never reach SQS. */
    LOST_BEFORE,
    /** Calls whose response is late. */
    LATE,
    /** Calls that SQS throttles. */
    THROTTLED,
    /** Entries that SQS refuses, or leaves out of its response. */
    ENTRIES,
    /** Nothing can be reached for a while. */
    OUTAGE,
    /** Instances that are killed. */
    KILL,
    /** Stops and restarts. */
    STOP,
    /** Pauses. */
    PAUSE,
    /** Changes of a running listener. */
    CHANGE,
    /** Gates that close. */
    GATE,
    /** Executors that refuse. */
    REFUSALS,
    /** Handlers that throw, also errors. */
    FAILURES,
    /** Handlers that wait for longer than a lease. */
    SLOW,
    /** Handlers that ignore interrupts. */
    STUBBORN,
    /** Messages that can never be handled or read. */
    POISON,
    /** Acknowledgements that come late, twice or never. */
    ODD_ACKNOWLEDGEMENTS,
    /** Messages that a standard queue delivers twice. */
    DUPLICATES,
    /** The concurrency that the library finds by itself. */
    AUTO;

    /** What no plan has yet, because a defect is open. */
    static final Set<Ingredient> OPEN = EnumSet.noneOf(Ingredient.class);

    private static final Set<Ingredient> USED = used();

    static boolean isUsed(Ingredient ingredient) {
        return USED.contains(ingredient);
    }

    private static Set<Ingredient> used() {
        Set<Ingredient> only = named("batchsqs.history.only");
        Set<Ingredient> used = EnumSet.allOf(Ingredient.class);
        used.removeAll(OPEN);
        used = only.isEmpty() ? used : only;
        used.addAll(named("batchsqs.history.with"));
        used.removeAll(named("batchsqs.history.without"));
        return used;
    }

    private static Set<Ingredient> named(String property) {
        return Stream.of(System.getProperty(property, "").split(","))
                .filter(name -> !name.isBlank())
                .map(name -> valueOf(name.trim().toUpperCase(Locale.ROOT)))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Ingredient.class)));
    }

    /** {@return the ingredients that are left out, for the report} */
    static String leftOut() {
        Set<Ingredient> left = EnumSet.allOf(Ingredient.class);
        left.removeAll(USED);
        return left.toString();
    }
}
