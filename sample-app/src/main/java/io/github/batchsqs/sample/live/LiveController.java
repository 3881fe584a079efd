/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.live;

import io.github.batchsqs.sample.live.LiveFeed.Numbered;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** {@code GET /live}: the last minute, then the numbers twice a second, until one of the two sides ends. */
@RestController
class LiveController {

    private static final Logger log = LoggerFactory.getLogger(LiveController.class);
    private static final long NO_TIMEOUT = 0;

    private final LiveFeed feed;
    private final LiveDepths depths;

    LiveController(LiveFeed feed, LiveDepths depths) {
        this.feed = feed;
        this.depths = depths;
    }

    @GetMapping(path = "/live", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter live() {
        SseEmitter page = new SseEmitter(NO_TIMEOUT);
        Thread.ofVirtual().name("live-page").start(() -> tell(page));
        return page;
    }

    private void tell(SseEmitter page) {
        depths.watched();
        try {
            page.send(SseEmitter.event().name("past").data(feed.past(), MediaType.APPLICATION_JSON));
            for (Numbered next = feed.after(0); next != null; next = feed.after(next.version())) {
                page.send(next.live(), MediaType.APPLICATION_JSON);
            }
            page.complete();
        } catch (IOException | IllegalStateException gone) {
            log.debug("A page was closed", gone);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            depths.left();
        }
    }
}
