/* SPDX-License-Identifier: Apache-2.0 */
/** Tests of listeners, on an SQS server in the process. */
@NullMarked
package io.github.batchsqs.test;

import org.jspecify.annotations.NullMarked;
