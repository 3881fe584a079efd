/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.live;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code GET /live?since=…}: the newest numbers, and what happened since those that the page has. Answered at once: open
 * streams would fill the six connections that a browser opens to a host.
 */
@RestController
class LiveController {

    private final LiveFeed feed;
    private final LiveDepths depths;

    LiveController(LiveFeed feed, LiveDepths depths) {
        this.feed = feed;
        this.depths = depths;
    }

    @GetMapping("/live")
    Live live(@RequestParam(defaultValue = "0") long since) {
        depths.watched();
        return feed.since(since);
    }
}
