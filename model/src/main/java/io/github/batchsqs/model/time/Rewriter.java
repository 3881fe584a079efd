/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.time;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.security.ProtectionDomain;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Lets code that knows nothing of {@link VirtualTime} run in it: while a class is loaded, its calls to what waits, makes threads, or reads a clock or
 * random numbers of the JDK become calls to {@link Redirects}, and the locks, latches, semaphores, queues and pools that it makes become
 * those of this package. On threads that are no strands these do what the JDK does, so the rewritten classes work everywhere.
 *
 * <p>What waits but is not known here would wait by the clock of this machine, so a class that makes one is reported by {@link #unknown}.
 *
 * <p>The price: an agent in the JVM of the tests. The gain: the code under test has no seam for it, and none can be forgotten.
 */
public final class Rewriter implements ClassFileTransformer {

    private static final int API = Opcodes.ASM9;

    private static final Map<String, Class<?>> OWNERS = Map.ofEntries(
            Map.entry("java/lang/Thread", Redirects.OfThread.class),
            Map.entry("java/lang/Thread$Builder", Redirects.OfBuilder.class),
            Map.entry("java/lang/Thread$Builder$OfVirtual", Redirects.OfBuilder.class),
            Map.entry("java/lang/Thread$Builder$OfPlatform", Redirects.OfBuilder.class),
            Map.entry("java/util/concurrent/Future", Redirects.OfFuture.class),
            Map.entry("java/util/concurrent/CompletableFuture", Redirects.OfCompletableFuture.class),
            Map.entry("java/util/concurrent/locks/LockSupport", Redirects.OfLockSupport.class),
            Map.entry("java/util/concurrent/TimeUnit", Redirects.OfTimeUnit.class),
            Map.entry("java/lang/System", Redirects.OfSystem.class),
            Map.entry("java/time/Instant", Redirects.OfInstant.class),
            Map.entry("java/util/UUID", Redirects.OfUUID.class),
            Map.entry("java/util/concurrent/ThreadLocalRandom", Redirects.OfThreadLocalRandom.class));

    private static final Map<String, String> MADE = Map.of(
            "java/util/concurrent/locks/ReentrantLock", Type.getInternalName(VirtualLock.class),
            "io/github/batchsqs/internal/support/EngineLock", Type.getInternalName(VirtualEngineLock.class),
            "java/util/concurrent/Semaphore", Type.getInternalName(VirtualSemaphore.class),
            "java/util/concurrent/CountDownLatch", Type.getInternalName(VirtualLatch.class),
            "java/util/concurrent/LinkedBlockingQueue", Type.getInternalName(VirtualQueue.class),
            "java/util/concurrent/ThreadPoolExecutor", Type.getInternalName(VirtualPool.class));

    private static final Set<String> UNKNOWN = Set.of(
            "java/lang/Thread",
            "java/util/Timer",
            "java/util/concurrent/ArrayBlockingQueue",
            "java/util/concurrent/CyclicBarrier",
            "java/util/concurrent/DelayQueue",
            "java/util/concurrent/Exchanger",
            "java/util/concurrent/ForkJoinPool",
            "java/util/concurrent/FutureTask",
            "java/util/concurrent/LinkedBlockingDeque",
            "java/util/concurrent/LinkedTransferQueue",
            "java/util/concurrent/Phaser",
            "java/util/concurrent/PriorityBlockingQueue",
            "java/util/concurrent/ScheduledThreadPoolExecutor",
            "java/util/concurrent/SynchronousQueue",
            "java/util/concurrent/locks/ReentrantReadWriteLock",
            "java/util/concurrent/locks/StampedLock");

    private static final Set<String> UNKNOWN_CALLS = Set.of(
            "java/lang/Object.wait",
            "java/util/concurrent/CompletableFuture.orTimeout",
            "java/util/concurrent/CompletableFuture.completeOnTimeout",
            "java/util/concurrent/CompletableFuture.delayedExecutor",
            "java/util/concurrent/CompletableFuture.supplyAsync",
            "java/util/concurrent/CompletableFuture.runAsync",
            "java/util/concurrent/ExecutorService.invokeAll",
            "java/util/concurrent/ExecutorService.awaitTermination",
            "java/util/concurrent/Executors.newCachedThreadPool",
            "java/util/concurrent/Executors.newFixedThreadPool",
            "java/util/concurrent/Executors.newSingleThreadExecutor",
            "java/util/concurrent/Executors.newScheduledThreadPool",
            "java/util/concurrent/Executors.newSingleThreadScheduledExecutor",
            "java/util/concurrent/Executors.newVirtualThreadPerTaskExecutor",
            "java/util/concurrent/Executors.newThreadPerTaskExecutor");

    private static @Nullable Rewriter installed;

    private final List<String> prefixes;
    private final Map<String, Handle> redirects = new HashMap<>();
    private final Set<String> unknown = new ConcurrentSkipListSet<>();

    private Rewriter(List<String> prefixes) {
        this.prefixes = prefixes;
        OWNERS.forEach(this::learn);
    }

    /**
     * Rewrites the classes of these packages from now on, those that are loaded already included. Called again, it does nothing.
     *
     * @param packages the names of packages, whose sub-packages belong to them
     */
    public static synchronized void install(String... packages) {
        if (installed != null) {
            return;
        }
        Rewriter rewriter = new Rewriter(Arrays.stream(packages)
                .map(name -> name.replace('.', '/') + "/")
                .toList());
        Instrumentation jvm = ByteBuddyAgent.install();
        jvm.addTransformer(rewriter, true);
        Class<?>[] loaded = Arrays.stream(jvm.getAllLoadedClasses())
                .filter(type -> jvm.isModifiableClass(type) && rewriter.concerns(Type.getInternalName(type)))
                .toArray(Class<?>[]::new);
        try {
            if (loaded.length > 0) {
                jvm.retransformClasses(loaded);
            }
        } catch (java.lang.instrument.UnmodifiableClassException e) {
            throw new IllegalStateException(e);
        }
        installed = rewriter;
    }

    /** {@return what the rewritten classes wait for without virtual time knowing it; empty while all is well} */
    public static synchronized Set<String> unknown() {
        return installed == null ? Set.of() : Set.copyOf(installed.unknown);
    }

    private void learn(String owner, Class<?> redirect) {
        for (Method method : redirect.getDeclaredMethods()) {
            if (Modifier.isPublic(method.getModifiers())) {
                String parameters = Type.getMethodDescriptor(method);
                String name = method.getName();
                Handle target =
                        new Handle(Opcodes.H_INVOKESTATIC, Type.getInternalName(redirect), name, parameters, false);
                // With the instance, as an instance's method is looked for, and without, as a static one is.
                redirects.put(owner + "." + name + parametersOf(method, 0), target);
                if (method.getParameterCount() > 0) {
                    redirects.put(owner + "#" + name + parametersOf(method, 1), target);
                }
            }
        }
    }

    private static String parametersOf(Method method, int from) {
        StringBuilder text = new StringBuilder("(");
        Class<?>[] types = method.getParameterTypes();
        for (int i = from; i < types.length; i++) {
            text.append(Type.getDescriptor(types[i]));
        }
        return text.append(')').toString();
    }

    private @Nullable Handle redirect(boolean isStatic, String owner, String name, String descriptor) {
        String parameters = descriptor.substring(0, descriptor.indexOf(')') + 1);
        return redirects.get(owner + (isStatic ? "." : "#") + name + parameters);
    }

    private boolean concerns(@Nullable String name) {
        return name != null
                && !name.startsWith("io/github/batchsqs/model/time/")
                && prefixes.stream().anyMatch(name::startsWith);
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] bytes) {
        if (!concerns(name)) {
            return null;
        }
        try {
            ClassReader reader = new ClassReader(bytes);
            ClassWriter writer = new ClassWriter(reader, 0);
            reader.accept(new Classes(writer, String.valueOf(name), redefined != null), 0);
            return writer.toByteArray();
        } catch (RuntimeException | Error e) { // the JVM would ignore it
            unknown.add(name + ": " + e);
            return null;
        }
    }

    private final class Classes extends ClassVisitor {

        private final String name;
        private final boolean loaded;
        private boolean ofMade;

        Classes(ClassVisitor next, String name, boolean loaded) {
            super(API, next);
            this.name = name;
            this.loaded = loaded;
        }

        /** A class that extends one of those that are made anew extends the other one. A class that is loaded already cannot. */
        @Override
        public void visit(
                int version, int access, String type, String signature, String superType, String[] interfaces) {
            String made = loaded ? null : MADE.get(superType);
            ofMade = made != null;
            super.visit(version, access, type, signature, made == null ? superType : made, interfaces);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String method, String descriptor, String signature, String[] exceptions) {
            return new Calls(super.visitMethod(access, method, descriptor, signature, exceptions), name, ofMade);
        }
    }

    private final class Calls extends MethodVisitor {

        private final String name;
        private final boolean ofMade;
        private final ArrayDeque<String> made = new ArrayDeque<>();

        Calls(MethodVisitor next, String name, boolean ofMade) {
            super(API, next);
            this.ofMade = ofMade;
            this.name = name;
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            if (opcode == Opcodes.NEW) {
                if (UNKNOWN.contains(type)) {
                    unknown.add(name + " makes a " + type);
                }
                if (MADE.containsKey(type)) {
                    made.push(type);
                    super.visitTypeInsn(opcode, MADE.get(type));
                    return;
                }
            }
            super.visitTypeInsn(opcode, type);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String method, String descriptor, boolean isInterface) {
            if (method.equals("<init>") && !made.isEmpty() && made.peek().equals(owner)) {
                made.pop();
                super.visitMethodInsn(opcode, MADE.get(owner), method, descriptor, isInterface);
                return;
            }
            if (ofMade && opcode == Opcodes.INVOKESPECIAL && MADE.containsKey(owner)) {
                super.visitMethodInsn(opcode, MADE.get(owner), method, descriptor, isInterface); // super
                return;
            }
            if (UNKNOWN_CALLS.contains(owner + "." + method)) {
                unknown.add(name + " calls " + owner + "." + method);
            }
            Handle redirect = opcode == Opcodes.INVOKESPECIAL
                    ? null
                    : redirect(opcode == Opcodes.INVOKESTATIC, owner, method, descriptor);
            if (redirect == null) {
                super.visitMethodInsn(opcode, owner, method, descriptor, isInterface);
            } else {
                super.visitMethodInsn(
                        Opcodes.INVOKESTATIC, redirect.getOwner(), redirect.getName(), redirect.getDesc(), false);
            }
        }

        @Override
        public void visitInvokeDynamicInsn(String method, String descriptor, Handle bootstrap, Object... arguments) {
            Object[] redirected = arguments.clone();
            for (int i = 0; i < redirected.length; i++) {
                redirected[i] = redirected[i] instanceof Handle handle ? redirected(handle) : redirected[i];
            }
            super.visitInvokeDynamicInsn(method, descriptor, bootstrap, redirected);
        }

        private Handle redirected(Handle handle) {
            if (handle.getTag() == Opcodes.H_NEWINVOKESPECIAL) {
                String made = MADE.get(handle.getOwner());
                return made == null
                        ? handle
                        : new Handle(handle.getTag(), made, handle.getName(), handle.getDesc(), false);
            }
            boolean isStatic = handle.getTag() == Opcodes.H_INVOKESTATIC;
            if (!isStatic
                    && handle.getTag() != Opcodes.H_INVOKEVIRTUAL
                    && handle.getTag() != Opcodes.H_INVOKEINTERFACE) {
                return handle;
            }
            Handle redirect = redirect(isStatic, handle.getOwner(), handle.getName(), handle.getDesc());
            return redirect == null ? handle : redirect;
        }
    }
}
