/* SPDX-License-Identifier: Apache-2.0 */
/** Generated histories of the template's receives, against what SQS knows. */
@NullMarked
package io.github.batchsqs.histories.pull;

import org.jspecify.annotations.NullMarked;
