/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.database;

import io.github.batchsqs.autoconfigure.internal.settings.JdbcSettings;
import io.github.batchsqs.autoconfigure.internal.settings.JdbcSettings.InitializeSchema;
import io.github.batchsqs.jdbc.internal.Database;
import io.github.batchsqs.model.time.VirtualTime;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * The database of a fleet: H2 in memory, whose statements take virtual time. H2 itself never waits: a strand that would have to wait for a lock
 * tries again in virtual time. Its clock is that of {@link VirtualTime}.
 */
public final class FleetDatabase implements AutoCloseable {

    static {
        ByteBuddyAgent.install().addTransformer(new PatientTransactions());
    }

    private static final AtomicLong NUMBER = new AtomicLong();
    private static final long MAX_LATENCY = Duration.ofMillis(2).toNanos();
    private static final long RETRY = Duration.ofMillis(40).toNanos();
    private static final long MILLI = 1_000_000;

    /** H2's limit of a wait for a lock, which passes by the clock of this machine; and how long a strand waits instead. */
    private static final int NO_WAIT = 1;

    private static final long LOCK_MILLIS = 2_000;
    private static final int LOCK_TIMEOUT = 50_200;
    private static final String CLOCK =
            "DATEDIFF('MILLISECOND', TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00', CURRENT_TIMESTAMP)";

    private final VirtualTime time;
    private final String url =
            "jdbc:h2:mem:fleet" + NUMBER.incrementAndGet() + ";QUERY_CACHE_SIZE=128;LOCK_TIMEOUT=" + NO_WAIT;
    private final Connection keeper;
    private final Runnable committed;

    /**
     * Creates a database with the tables of inbox and outbox.
     *
     * @param committed is called by the strand whose transaction has committed, whether it learns so or not
     */
    public FleetDatabase(VirtualTime time, Runnable committed) throws SQLException {
        this.time = time;
        this.committed = committed;
        this.keeper = session();
        run("RUNSCRIPT FROM 'classpath:io/github/batchsqs/jdbc/schema-h2.sql'");
        run("CREATE ALIAS VIRTUAL_MILLIS FOR '" + FleetDatabase.class.getName() + ".millis'");
    }

    private Connection session() throws SQLException {
        return new org.h2.Driver().connect(url, new Properties());
    }

    /** H2 calls this. */
    public static long millis() {
        return VirtualTime.current().now().toEpochMilli();
    }

    /** Runs a statement that takes no time, for the thread that made the time. */
    public void run(String sql) throws SQLException {
        try (Statement statement = keeper.createStatement()) {
            boolean unused = statement.execute(sql);
        }
    }

    /** {@return the number of rows of a table} Takes no time. */
    public long count(String table) throws SQLException {
        try (Statement statement = keeper.createStatement();
                var rows = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
            return rows.next() ? rows.getLong(1) : 0;
        }
    }

    @Override
    public void close() throws SQLException {
        run("SHUTDOWN IMMEDIATELY");
    }

    /** What one instance has of the database. */
    public final class Link extends AbstractDataSource {

        private final List<Line> lines = new ArrayList<>();
        private final ArrayDeque<Connection> idle = new ArrayDeque<>();
        private long hangsUntil;
        private long goneUntil;
        private boolean commitIsLost;

        /** {@return what inbox and outbox take} Its transactions are those of a manager on this link. */
        public Database database(PlatformTransactionManager transactions) {
            StaticListableBeanFactory beans = new StaticListableBeanFactory();
            beans.addBean("source", this);
            beans.addBean("transactions", transactions);
            JdbcSettings settings =
                    new JdbcSettings(null, null, InitializeSchema.NEVER, new JdbcSettings.Inbox(Duration.ofDays(14)));
            return new Database(settings, beans);
        }

        /** No statement returns until then. */
        public void hang(long until) {
            hangsUntil = until;
        }

        /** All sessions end, and there are no new ones until then. */
        public void vanish(long until) {
            goneUntil = until;
            endSessions();
        }

        /** The response of the next commit is lost. */
        public void loseCommit() {
            commitIsLost = true;
        }

        /** The server ends all sessions, and rolls them back. */
        public void endSessions() {
            List.copyOf(lines).forEach(Line::end);
        }

        @Override
        public Connection getConnection() throws SQLException {
            pass(null, 30);
            Connection session = idle.poll();
            Line line = new Line(this, session == null ? session() : session);
            lines.add(line);
            return line.proxy(Connection.class, line);
        }

        @Override
        public Connection getConnection(String username, String password) throws SQLException {
            return getConnection();
        }

        private void pass(@Nullable Line line, int seconds) throws SQLException {
            sleep(1 + time.random().nextLong(MAX_LATENCY));
            long limit = seconds <= 0
                    ? Long.MAX_VALUE
                    : time.nanos() + Duration.ofSeconds(seconds).toNanos();
            while (time.nanos() < hangsUntil) {
                if (time.nanos() >= limit) {
                    throw new SQLTimeoutException("the plan wants it");
                }
                sleep(Math.min(hangsUntil, limit) - time.nanos());
            }
            if (time.nanos() < goneUntil || (line != null && line.ended)) {
                throw lost();
            }
        }
    }

    private static SQLException lost() {
        return new SQLException("the connection is gone: the plan wants it", "08006");
    }

    private void sleep(long nanos) throws SQLException {
        try {
            time.sleep(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted", "08006", e);
        }
    }

    /** A connection, and its session. */
    private final class Line implements InvocationHandler {

        private final Link link;
        private final Connection session;
        private boolean ended;

        Line(Link link, Connection session) {
            this.link = link;
            this.session = session;
        }

        <T> T proxy(Class<T> type, InvocationHandler handler) {
            return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
        }

        void end() {
            ended = true;
            link.lines.remove(this);
            try {
                session.close();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        /** As a pool does: what is not committed is undone. */
        private void giveBack() throws SQLException {
            if (!ended) {
                ended = true;
                link.lines.remove(this);
                if (!session.getAutoCommit()) {
                    session.rollback();
                    session.setAutoCommit(true);
                }
                link.idle.push(session);
            }
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            switch (method.getName()) {
                case "close" -> {
                    giveBack();
                    return null;
                }
                case "isClosed" -> {
                    return ended;
                }
                case "hashCode" -> {
                    return System.identityHashCode(proxy);
                }
                case "equals" -> {
                    return arguments != null
                            && arguments[0] != null
                            && System.identityHashCode(proxy) == System.identityHashCode(arguments[0]);
                }
                case "commit" -> {
                    commit();
                    return null;
                }
                case "rollback" -> link.pass(this, 0);
                default -> {
                    if (ended) {
                        throw lost();
                    }
                }
            }
            withVirtualClock(arguments);
            Object result = call(session, method, arguments);
            return switch (result) {
                case PreparedStatement statement -> proxy(PreparedStatement.class, new Spoken(this, statement));
                case Statement statement -> proxy(Statement.class, new Spoken(this, statement));
                case null, default -> result;
            };
        }

        private void commit() throws SQLException {
            link.pass(this, 0);
            session.commit();
            committed.run();
            if (link.commitIsLost) {
                link.commitIsLost = false;
                end();
                throw lost();
            }
        }
    }

    /** A statement. */
    private final class Spoken implements InvocationHandler {

        private final Line line;
        private final Statement statement;
        private int seconds;

        Spoken(Line line, Statement statement) {
            this.line = line;
            this.statement = statement;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            if (method.getName().equals("setQueryTimeout")
                    && arguments != null
                    && arguments[0] instanceof Integer given) {
                seconds = given;
                return null;
            }
            if (!method.getName().startsWith("execute")) {
                return call(statement, method, arguments);
            }
            withVirtualClock(arguments);
            line.link.pass(line, seconds);
            long limit = time.nanos() + LOCK_MILLIS * MILLI;
            while (true) {
                try {
                    return call(statement, method, arguments);
                } catch (SQLException e) {
                    boolean again = e.getErrorCode() == LOCK_TIMEOUT
                            && !method.getName().equals("executeBatch");
                    if (!again || time.nanos() >= limit) {
                        throw e;
                    }
                    sleep(RETRY);
                }
            }
        }
    }

    private static void withVirtualClock(@Nullable Object @Nullable [] arguments) {
        if (arguments != null && arguments.length > 0 && arguments[0] instanceof String sql) {
            arguments[0] = sql.replace(CLOCK, "VIRTUAL_MILLIS()");
        }
    }

    private static @Nullable Object call(Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
