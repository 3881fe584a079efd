/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal;

import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import io.github.batchsqs.autoconfigure.internal.settings.JdbcSettings;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.internal.support.Causes;
import io.github.batchsqs.internal.support.ForeignCode;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.PermissionDeniedDataAccessException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The database of inbox and outbox: a {@code DataSource} and a transaction manager of the application. Nothing happens before the first
 * call. Safe for use by any thread.
 */
public final class Database {

    private static final Logger log = LoggerFactory.getLogger(Database.class);

    private static final String PREFIX = "batchsqs.jdbc.";

    private final JdbcSettings settings;
    private final ListableBeanFactory beans;
    private volatile @Nullable Access access;

    /** Creates a database that is not used yet. */
    public Database(JdbcSettings settings, ListableBeanFactory beans) {
        this.settings = settings;
        this.beans = beans;
    }

    private record Access(
            DataSource dataSource, JdbcTemplate jdbc, PlatformTransactionManager transactions, Dialect dialect) {}

    /**
     * Creates the tables if the settings say so, and checks that transactions of the transaction manager reach them. Called
     * when all singletons exist, before {@link #check}.
     *
     * @param table the table that is needed
     * @throws SetupException if transactions do not reach it, with the remedy
     * @throws DataAccessException if the database cannot be reached
     */
    public void prepare(String table) {
        if (!isReadable(table)) { // else, even IF NOT EXISTS would wait for all transactions that use it
            createTables();
        }
    }

    /**
     * Runs statements in a transaction that is rolled back, to see whether tables exist and fit.
     *
     * @throws SetupException if one fails, with the remedy
     */
    public void check(String tables, Runnable statements) {
        try {
            newTransaction().executeWithoutResult(status -> {
                status.setRollbackOnly();
                statements.run();
            });
        } catch (DataAccessException failed) {
            throw new SetupException(
                    "The statements of inbox and outbox cannot be used with " + tables + ": " + reason(failed),
                    "Set " + PREFIX + "initialize-schema to always, or create them with your migrations from "
                            + dialect().schema()
                            + "; compare tables that exist with it, and alter them. Let the user of the DataSource select,"
                            + " insert, update and delete rows of them.",
                    failed);
        }
    }

    /** Returns what runs statements on the connection of the thread's transaction. */
    public JdbcOperations jdbc() {
        return access().jdbc();
    }

    /** Returns the database's kind. */
    public Dialect dialect() {
        return access().dialect();
    }

    /** Returns the transaction manager. */
    public PlatformTransactionManager transactionManager() {
        return access().transactions();
    }

    /** Returns what runs code in a transaction of its own, whether the thread has one or not. */
    public TransactionTemplate newTransaction() {
        var template = new TransactionTemplate(transactionManager());
        template.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        return template;
    }

    /**
     * Refuses a thread whose transaction is one of another transaction manager, whose commit does not include the statements.
     *
     * @throws IllegalStateException if it is so
     */
    public void requireTransaction() {
        try { // asks the manager: with a pool without auto-commit, the connection alone does not tell
            TransactionStatus unused = access().transactions()
                    .getTransaction(new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_MANDATORY));
        } catch (IllegalTransactionStateException none) {
            throw new IllegalStateException(
                    "The transaction of this thread does not belong to the DataSource of inbox and"
                            + " outbox; run it with the transaction manager of that DataSource, or name both with"
                            + " batchsqs.jdbc.data-source and batchsqs.jdbc.transaction-manager",
                    none);
        }
    }

    private Access access() {
        Access found = access;
        if (found == null) {
            found = find();
            access = found;
        }
        return found;
    }

    private Access find() {
        DataSource source = bean(DataSource.class, "data-source", settings.dataSource());
        DataSource raw = source instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null
                ? proxy.getTargetDataSource()
                : source;
        refuseRouting(raw);
        var transactions = bean(PlatformTransactionManager.class, "transaction-manager", settings.transactionManager());
        var jdbc = new JdbcTemplate(raw);
        Dialect dialect = jdbc.execute((ConnectionCallback<Dialect>) Dialect::of);
        return new Access(raw, jdbc, transactions, Objects.requireNonNull(dialect));
    }

    /** The ids of a message could be recorded in one database, and looked for in another one. */
    private static void refuseRouting(DataSource source) {
        DataSource inner = source;
        while (inner instanceof DelegatingDataSource delegating && delegating.getTargetDataSource() != null) {
            inner = delegating.getTargetDataSource();
        }
        if (inner instanceof AbstractRoutingDataSource) {
            throw new SetupException(
                    "The DataSource of inbox and outbox is an AbstractRoutingDataSource ("
                            + inner.getClass().getName()
                            + "): a message that was recorded in one of its databases could be looked for in another one.",
                    "Define the DataSource that it routes to and its transaction manager as beans, and name them with "
                            + PREFIX + "data-source and " + PREFIX + "transaction-manager.");
        }
    }

    private <T> T bean(Class<T> type, String key, @Nullable String name) {
        String[] names = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type);
        String known = String.join(", ", names);
        if (name != null) {
            try {
                return beans.getBean(name, type);
            } catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException absent) {
                throw new InvalidOptionException(
                        PREFIX + key,
                        "must be the name of a bean of type " + type.getName(),
                        name,
                        known.isEmpty() ? "define such a bean" : "take one of: " + known);
            }
        }
        T found = beans.getBeanProvider(type).getIfUnique();
        if (found != null) {
            return found;
        }
        if (names.length == 0) {
            throw new SetupException(
                    "Inbox and outbox need a bean of type " + type.getName() + ", and there is none.",
                    type == DataSource.class
                            ? "Add spring-boot-starter-jdbc (or -data-jdbc, -data-jpa) and the driver of the database, and set"
                                    + " spring.datasource.url, or disable inbox and outbox."
                            : "Define one for the DataSource, such as a JdbcTransactionManager, or disable inbox and outbox.");
        }
        throw new SetupException(
                "Inbox and outbox need one bean of type " + type.getName() + ", and there are several: " + known + ".",
                "Set " + PREFIX + key
                        + " to the name of the one whose database the handlers write to, or make it primary.");
    }

    private void createTables() {
        var initialization = new DatabaseInitializationSettings();
        String script = dialect().schema();
        initialization.setSchemaLocations(List.of(script));
        initialization.setMode(
                DatabaseInitializationMode.valueOf(settings.initializeSchema().name()));
        try {
            if (new DataSourceScriptDatabaseInitializer(access().dataSource(), initialization).initializeDatabase()) {
                log.info("Inbox and outbox: the tables exist or were created by {}", script);
            }
        } catch (DataAccessException failed) { // perhaps because another instance creates them: the check comes next
            log.warn("Inbox and outbox: the tables could not be created by {}: {}", script, reason(failed));
        }
    }

    private boolean isReadable(String table) {
        try {
            newTransaction().executeWithoutResult(status -> {
                if (!TransactionSynchronizationManager.hasResource(access().dataSource())) {
                    throw new SetupException(
                            "Transactions of the transaction manager "
                                    + transactionManager().getClass().getName()
                                    + " do not include statements on the DataSource of inbox and outbox.",
                            "Name a DataSource and a transaction manager that belong together with " + PREFIX
                                    + "data-source and " + PREFIX + "transaction-manager.");
                }
                var ignored = jdbc().queryForList("SELECT 1 FROM " + table + " WHERE 1 = 0");
            });
            return true;
        } catch (BadSqlGrammarException | PermissionDeniedDataAccessException | UncategorizedSQLException absent) {
            log.debug("{} is absent, or must not be read", table, absent);
            return false;
        }
    }

    /** Returns a list of equal parts of a statement. */
    public static String repeated(String part, int count) {
        return String.join(", ", Collections.nCopies(count, part));
    }

    /** Returns the words of the database, or of the pool, on one line. Those of Spring's exception name the statement alone. */
    public static String reason(Throwable failed) {
        return String.valueOf(Causes.innermost(ForeignCode.readable(failed)).getMessage())
                .lines()
                .map(String::strip)
                .collect(Collectors.joining(" "));
    }
}
