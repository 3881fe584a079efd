/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Counts the statements that its connections prepare. */
final class CountingDataSource extends DelegatingDataSource {

    private final AtomicInteger statements = new AtomicInteger();

    CountingDataSource(DataSource source) {
        super(source);
    }

    /** Returns the number of statements since the last call. */
    int statements() {
        return statements.getAndSet(0);
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> call(connection, method, arguments));
    }

    private @Nullable Object call(Connection connection, Method method, @Nullable Object[] arguments) throws Throwable {
        if (method.getName().equals("prepareStatement") || method.getName().equals("createStatement")) {
            int unused = statements.incrementAndGet();
        }
        try {
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException failure) {
            throw failure.getTargetException();
        }
    }
}
