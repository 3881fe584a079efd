/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.annotation.BatchSqsHandler;
import io.github.batchsqs.annotation.BatchSqsListener;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.core.type.classreading.MetadataReaderFactory;

class ListenersOnlyTests {

    private final MetadataReaderFactory metadata =
            MetadataReaderFactory.create(getClass().getClassLoader());
    private final ListenersOnly filter = new ListenersOnly(Slice.class);

    @Test
    void includesComponentsWithOneAnnotationAndWithSeveral() throws IOException {
        assertThat(excludes(Single.class)).isFalse();
        assertThat(excludes(Repeated.class)).isFalse();
        assertThat(excludes(ByType.class)).isFalse();
        assertThat(excludes(ByTypeTwice.class)).isFalse();
        assertThat(excludes(Unrelated.class)).isTrue();
    }

    private boolean excludes(Class<?> type) throws IOException {
        return filter.match(metadata.getMetadataReader(type.getName()), metadata);
    }

    @BatchSqsTest
    static class Slice {}

    static class Single {
        @BatchSqsListener(queue = "orders")
        void handle(List<String> orders) {}
    }

    static class Repeated {
        @BatchSqsListener(queue = "orders")
        @BatchSqsListener(queue = "returns")
        void handle(List<String> orders) {}
    }

    @BatchSqsListener(queue = "orders")
    static class ByType {
        @BatchSqsHandler
        void handle(List<String> orders) {}
    }

    @BatchSqsListener(queue = "orders")
    @BatchSqsListener(queue = "returns")
    static class ByTypeTwice {
        @BatchSqsHandler
        void handle(List<String> orders) {}
    }

    static class Unrelated {}
}
