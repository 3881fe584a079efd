/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.tomcat.jdbc.pool;

import java.sql.SQLException;

/** Has the name of what Tomcat JDBC throws when its pool has no connection in time. */
public class PoolExhaustedException extends SQLException {

    private static final long serialVersionUID = 1L;
}
