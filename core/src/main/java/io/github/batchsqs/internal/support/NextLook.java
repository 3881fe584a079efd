/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

/** When the next look of a timer is due, so that its {@link Alarm} is asked only for an earlier one. Belongs to the lock of its owner. */
public final class NextLook {

    private Alarm alarm = Alarm.NONE;
    private long at = Alarm.NEVER;

    /** From now on this alarm has the looks taken. */
    public void by(Alarm newAlarm, long now) {
        alarm = newAlarm;
        at = now;
        alarm.ringAt(now);
    }

    /** Has a look taken after so long, or earlier; {@link Alarm#NEVER} asks for none. */
    public void in(long nanos, long now) {
        if (nanos == Alarm.NEVER) {
            return;
        }
        long wanted = now + nanos;
        if (at == Alarm.NEVER || wanted - at < 0) {
            at = wanted;
            alarm.ringAt(wanted);
        }
    }

    /** A look is taken. */
    public void taken() {
        at = Alarm.NEVER;
    }
}
