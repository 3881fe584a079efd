/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import com.zaxxer.hikari.HikariDataSource;
import io.github.batchsqs.autoconfigure.internal.settings.JdbcSettings;
import io.github.batchsqs.autoconfigure.internal.settings.JdbcSettings.InitializeSchema;
import io.github.batchsqs.jdbc.internal.Database;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.transaction.PlatformTransactionManager;

/** Pools of connections, and what inbox and outbox take of them. */
public final class Databases {

    private Databases() {}

    public static HikariDataSource pool(String url, String user) {
        var pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setUsername(user);
        pool.setPassword("");
        pool.setMaximumPoolSize(16);
        return pool;
    }

    public static HikariDataSource h2() {
        return pool("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=100", "sa");
    }

    /** Returns what inbox and outbox take, with the tables that they make themselves. */
    public static Database of(DataSource source, PlatformTransactionManager transactions) {
        var beans = new StaticListableBeanFactory();
        beans.addBean("source", source);
        beans.addBean("transactions", transactions);
        return new Database(
                new JdbcSettings(null, null, InitializeSchema.ALWAYS, new JdbcSettings.Inbox(Duration.ofDays(14))),
                beans);
    }

    /** Returns the first column of the rows. */
    public static List<String> column(DataSource source, String sql) {
        List<String> found = new ArrayList<>();
        RowCallbackHandler add = row -> found.add(row.getString(1));
        new JdbcTemplate(source).query(sql, add);
        return found;
    }
}
