/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class LogCaptureTests {

    private static final Logger LOG = LoggerFactory.getLogger(LogCaptureTests.class);

    @Test
    void loggingIsReadyBeforeTheFirstTest() {
        assertThat(EarlyLog.made()).isTrue();
    }

    @Test
    void hearsTheThreadsThatItsOwnThreadStarts() {
        try (LogCapture log = LogCapture.warnings()) {
            LOG.warn("from the test");
            Progress.join(Thread.ofVirtual().start(() -> LOG.warn("from its thread")));

            assertThat(log.events()).hasSize(2);
            assertThat(log.events().getLast()).contains("from its thread");
        }
    }

    @Test
    void doesNotHearTheThreadsOfOtherTests() {
        Thread other = Thread.ofVirtual().unstarted(() -> LOG.warn("from another test"));
        try (LogCapture log = LogCapture.warnings()) {
            other.start();
            Progress.join(other);

            assertThat(log.events()).isEmpty();
        }
    }

    @Test
    void hearsWhatItWantsWhileAnotherTestIsQuiet() {
        try (LogCapture log = LogCapture.warnings()) {
            Progress.join(Thread.ofVirtual().start(() -> {
                QuietThreads.join();
                LOG.warn("one of thousands");
                Progress.join(Thread.ofVirtual().start(() -> LOG.warn("another of thousands")));
            }));
            LOG.warn("heard");

            assertThat(log.events()).singleElement().asString().contains("heard");
        }
    }

    @Test
    void hearsNothingAfterItIsClosed() {
        LogCapture log = LogCapture.warnings();
        log.close();
        LOG.warn("too late");

        assertThat(log.events()).isEmpty();
    }
}
