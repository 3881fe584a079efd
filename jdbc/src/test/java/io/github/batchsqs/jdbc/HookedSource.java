/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A data source that runs code before a statement. */
public final class HookedSource extends DelegatingDataSource {

    /** What runs before a statement; what it throws fails the statement. */
    @FunctionalInterface
    public interface Hook {
        void before(String sql) throws SQLException;
    }

    public static final Hook FAILS = sql -> {
        throw new SQLException("on purpose");
    };

    private volatile Hook hook = sql -> {};

    public HookedSource(DataSource target) {
        super(target);
    }

    /** Runs code before each statement that contains a text. */
    public void beforeEach(String text, Hook work) {
        hook = sql -> {
            if (sql.contains(text)) {
                work.before(sql);
            }
        };
    }

    /** Runs code before one of the statements that contain a text. */
    public void before(int number, String text, Hook work) {
        var count = new AtomicInteger();
        hook = sql -> {
            if (sql.contains(text) && count.incrementAndGet() == number) {
                work.before(sql);
            }
        };
    }

    @Override
    public Connection getConnection() throws SQLException {
        return hooked(Connection.class, super.getConnection());
    }

    private <T> T hooked(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                HookedSource.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")
                            || (method.getName().startsWith("execute") && arguments != null)) {
                        hook.before((String) arguments[0]);
                    }
                    try {
                        Object result = method.invoke(target, arguments);
                        return method.getName().equals("createStatement")
                                ? hooked(Statement.class, (Statement) result)
                                : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
