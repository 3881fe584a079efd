/* SPDX-License-Identifier: Apache-2.0 */
/** OpenRewrite recipes that move an application from Spring Cloud AWS's listeners and template. */
@NullMarked
package io.github.batchsqs.migrate;

import org.jspecify.annotations.NullMarked;
