/* SPDX-License-Identifier: Apache-2.0 */
package org.springframework.samples.visits;

import io.github.batchsqs.annotation.BatchSqsListener;
import java.util.List;
import org.springframework.stereotype.Component;

/** A component of an application whose packages begin like those of Spring. */
@Component
public class Visits {

    /** Handles visits. */
    @BatchSqsListener(queue = "visits")
    public void handle(List<String> visits) {}
}
