/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.sqs;

/** A message's body and attributes in the form of the caller. The model stores the object, and asks only what SQS's rules are about. */
public interface Payload {

    /** The size of the body in UTF-8 and of the names, types and values of the attributes. */
    long bytes();

    int attributeCount();

    boolean emptyBody();

    /** Whether the body has only characters that SQS accepts; {@link Characters} decides. */
    boolean acceptedCharacters();

    /** The hash of the body alone, for content-based deduplication. */
    String contentHash();
}
