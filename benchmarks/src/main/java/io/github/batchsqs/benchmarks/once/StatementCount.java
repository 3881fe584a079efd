/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;
import net.ttddyy.dsproxy.ExecutionInfo;
import net.ttddyy.dsproxy.QueryInfo;
import net.ttddyy.dsproxy.listener.MethodExecutionContext;
import net.ttddyy.dsproxy.listener.QueryExecutionListener;
import net.ttddyy.dsproxy.listener.lifecycle.JdbcLifecycleEventListenerAdapter;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;

/** Counts executions: a statement or a JDBC batch that the application passes to the driver in one call. Commits count apart. */
final class StatementCount {

    private final LongAdder application = new LongAdder();
    private final LongAdder stored = new LongAdder();
    private final LongAdder others = new LongAdder();
    private final LongAdder commits = new LongAdder();

    /** Returns a source whose statements are counted. */
    DataSource around(DataSource source) {
        return ProxyDataSourceBuilder.create(source)
                .listener(new Executions())
                .listener(new Commits())
                .build();
    }

    private final class Executions implements QueryExecutionListener {

        @Override
        public void beforeQuery(ExecutionInfo execution, List<QueryInfo> queries) {}

        @Override
        public void afterQuery(ExecutionInfo execution, List<QueryInfo> queries) {
            executed(queries.getFirst().getQuery());
        }
    }

    private final class Commits extends JdbcLifecycleEventListenerAdapter {

        @Override
        public void afterCommit(MethodExecutionContext execution) {
            committed();
        }
    }

    void executed(String sql) {
        if (sql.contains("INSERT INTO batchsqs_inbox ") || sql.contains("INSERT INTO batchsqs_outbox ")) {
            stored.increment();
        } else if (sql.contains("batchsqs_") || sql.startsWith("SET ")) {
            others.increment();
        } else {
            application.increment();
        }
    }

    void committed() {
        commits.increment();
    }

    void reset() {
        List.of(application, stored, others, commits).forEach(LongAdder::reset);
    }

    Statements statements(Round round) {
        return new Statements(
                round.messages(), round.transactions(), application.sum(), stored.sum(), others.sum(), commits.sum());
    }
}
