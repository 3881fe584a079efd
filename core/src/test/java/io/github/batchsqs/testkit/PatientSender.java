/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import io.github.batchsqs.send.SenderOptions;
import java.time.Duration;

/** Options of a sender whose limits no busy machine reaches, for tests that are about something else. */
public final class PatientSender {

    private static final Duration LONGEST_DELIVERY = Duration.ofSeconds(290);

    private PatientSender() {}

    /** The defaults, but for the longest waits for a queue, for space in the buffer and for the delivery. */
    public static SenderOptions.Builder options() {
        long bytes = SenderOptions.defaults().buffer().bytes();
        return SenderOptions.builder()
                .buffer(new SenderOptions.Buffer(bytes, Duration.ofHours(1)))
                .deliveryTimeout(LONGEST_DELIVERY);
    }
}
