/* SPDX-License-Identifier: Apache-2.0 */
package com.mchange.v2.resourcepool;

/** Has the name of what c3p0 throws when its pool has no connection in time. */
public class TimeoutException extends Exception {

    private static final long serialVersionUID = 1L;
}
