/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.test;

import io.github.batchsqs.annotation.BatchSqsListener;
import java.io.IOException;
import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;

/** Leaves out components that are no listener and have no listener method. Spring makes it and gives it the test's class. */
final class ListenersOnly extends StandardAnnotationCustomizableTypeExcludeFilter<BatchSqsTest> {

    ListenersOnly(Class<?> testClass) {
        super(testClass);
    }

    @Override
    protected boolean defaultInclude(MetadataReader reader, MetadataReaderFactory factory) throws IOException {
        AnnotationMetadata type = reader.getAnnotationMetadata();
        return super.defaultInclude(reader, factory)
                || isOrHas(type, BatchSqsListener.class.getName())
                || isOrHas(type, BatchSqsListener.List.class.getName());
    }

    private static boolean isOrHas(AnnotationMetadata type, String annotation) {
        return type.isAnnotated(annotation) || type.hasAnnotatedMethods(annotation);
    }
}
