/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.test;

import org.springframework.stereotype.Service;

/** Has nothing to do with listeners; a test slice must not make it. */
@Service
class UnrelatedService {

    UnrelatedService() {
        throw new IllegalStateException("made in a test of listeners");
    }
}
