/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package io.github.batchsqs.model.sqs;

import org.jspecify.annotations.NullMarked;
