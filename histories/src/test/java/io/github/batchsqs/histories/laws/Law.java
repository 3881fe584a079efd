/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.laws;

/** One law: sees what truly happens, and says so when it is not right. */
public abstract class Law {

    private final String sentence;

    Law(String sentence) {
        this.sentence = sentence;
    }

    /** {@return the law in one sentence} */
    public final String sentence() {
        return sentence;
    }

    /** A receive brought the message; its response may be lost yet. */
    public void received(Receive receive) {}

    /** A handler begins with the message of this receive. */
    public void begun(Run run) {}

    /** The handler is over with this message. */
    public void ended(Run run) {}

    /** The message had its effect: the handler is done with it, or acknowledges it now. */
    public void succeeded(Run run) {}

    /** The message is gone from the queue. */
    public void deleted(Message message) {}

    /** SQS moved the message to the dead-letter queue. */
    public void moved(Message message) {}

    /** A copy of the message is in the dead-letter queue, because we sent it there. */
    public void copied(Message message) {}

    /** The payload of the message of this receive, which is stored outside of SQS, was removed. */
    public void payloadRemoved(Receive receive) {}

    /** Everything is over: nothing has gone wrong for a long time, and all instances are stopped. */
    public void end(Truth truth) {}

    final Broken broken(String what) {
        return new Broken(sentence, what);
    }
}
