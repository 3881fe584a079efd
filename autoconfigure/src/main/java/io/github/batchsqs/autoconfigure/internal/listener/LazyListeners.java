/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.annotation.BatchSqsListener;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.AnnotatedElement;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.type.MethodMetadata;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils.MethodFilter;

/**
 * Creates lazy beans whose listeners the type of the bean does not show, because its {@code @Bean} method returns an
 * interface. The code of that method shows which class it creates. Other lazy beans stay lazy.
 */
final class LazyListeners {

    private final ConfigurableListableBeanFactory beans;

    LazyListeners(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /** Creates these beans. Then their class is known. */
    void create() {
        for (String name : beans.getBeanDefinitionNames()) {
            if (mayHideListeners(name)) {
                beans.getBean(name);
            }
        }
    }

    /** Asks for the type last, and only of beans of the application, because that loads classes. */
    private boolean mayHideListeners(String name) {
        BeanDefinition definition = beans.getMergedBeanDefinition(name);
        if (!definition.isLazyInit() || !definition.isSingleton() || beans.containsSingleton(name)) {
            return false;
        }
        MethodMetadata factory = factoryMethod(name);
        if (factory == null || factory.getDeclaringClassName().startsWith("org.springframework.")) {
            return false;
        }
        Class<?> declared = beans.getType(name, false);
        return declared != null
                && declared.isInterface()
                && classesCreatedBy(factory).stream().anyMatch(this::hasListeners);
    }

    private @Nullable MethodMetadata factoryMethod(String name) {
        return beans.getBeanDefinition(name) instanceof AnnotatedBeanDefinition annotated
                ? annotated.getFactoryMethodMetadata()
                : null;
    }

    private boolean hasListeners(String className) {
        try {
            Class<?> type = ClassUtils.forName(className, beans.getBeanClassLoader());
            MethodFilter listeners = LazyListeners::isListener;
            return isListener(type)
                    || !MethodIntrospector.selectMethods(type, listeners).isEmpty();
        } catch (ClassNotFoundException | LinkageError unknown) {
            return false;
        }
    }

    private static boolean isListener(AnnotatedElement element) {
        return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).isPresent(BatchSqsListener.class);
    }

    /** Returns the names of the classes of which the method creates instances itself; empty if its code is not available. */
    private Set<String> classesCreatedBy(MethodMetadata factory) {
        var created = new LinkedHashSet<String>();
        String file = ClassUtils.convertClassNameToResourcePath(factory.getDeclaringClassName()) + ".class";
        ClassLoader loader = beans.getBeanClassLoader();
        try (InputStream code = loader == null ? null : loader.getResourceAsStream(file)) {
            if (code != null) {
                new ClassReader(code)
                        .accept(
                                new CreationVisitor(factory.getMethodName(), created),
                                ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            }
        } catch (IOException | IllegalArgumentException unreadable) {
            return Set.of(); // of a newer Java, for example
        }
        return created;
    }

    /** Collects the classes of which methods of one name create instances. */
    private static final class CreationVisitor extends ClassVisitor {

        private final String factoryMethod;
        private final Set<String> created;

        CreationVisitor(String factoryMethod, Set<String> created) {
            super(SpringAsmInfo.ASM_VERSION);
            this.factoryMethod = factoryMethod;
            this.created = created;
        }

        @Override
        public @Nullable MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            return !name.equals(factoryMethod)
                    ? null
                    : new MethodVisitor(api) {
                        @Override
                        public void visitTypeInsn(int opcode, String type) {
                            if (opcode == Opcodes.NEW) {
                                created.add(type.replace('/', '.'));
                            }
                        }
                    };
        }
    }
}
