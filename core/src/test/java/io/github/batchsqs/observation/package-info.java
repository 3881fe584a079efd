/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package io.github.batchsqs.observation;

import org.jspecify.annotations.NullMarked;
