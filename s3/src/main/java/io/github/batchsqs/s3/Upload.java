/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.payload.OffloadedPayload;
import java.util.Map;

/** A payload on its way to S3. Holds it as bytes, so that no further copy is made for the upload. */
@SuppressWarnings("ArrayRecordComponent") // shared, and never changed
record Upload(Pointer pointer, String body, Map<String, MessageAttribute> attributes, byte[] content)
        implements OffloadedPayload {

    @Override
    public long bytes() {
        return content.length;
    }
}
