/* SPDX-License-Identifier: Apache-2.0 */
package kotlin.coroutines;

/** Stands for Kotlin's type of this name, the last parameter of each suspend function. */
public interface Continuation<T> {}
