/* SPDX-License-Identifier: Apache-2.0 */
/** Whether what the pages show is true: their code, settings, dependencies, commands and links. */
@NullMarked
package io.github.batchsqs.docs;

import org.jspecify.annotations.NullMarked;
