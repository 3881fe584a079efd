/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.database;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Lets H2 end its waits for a transaction that has undone one of its statements, as it ends the others: after the limit. H2 itself tries again and
 * again until the other one is over, which never comes while no other strand runs.
 */
final class PatientTransactions implements ClassFileTransformer {

    private static final String TRANSACTION = "org/h2/mvstore/tx/Transaction";

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] bytes) {
        if (!TRANSACTION.equals(name)) {
            return null;
        }
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(new Waits(writer), 0);
        return writer.toByteArray();
    }

    private static final class Waits extends ClassVisitor {

        Waits(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
            return name.equals("waitForThisToEnd") ? new Wait(next) : next;
        }
    }

    private static final class Wait extends MethodVisitor {

        Wait(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String method, String descriptor, boolean isInterface) {
            if (method.equals("hasRollback")) {
                super.visitInsn(Opcodes.POP2);
                super.visitInsn(Opcodes.ICONST_0);
            } else {
                super.visitMethodInsn(opcode, owner, method, descriptor, isInterface);
            }
        }
    }
}
