/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.controls;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** A button was pressed that cannot work now; its message says why, to the user. */
final class NotNowException extends ErrorResponseException {

    NotNowException(String why) {
        super(HttpStatus.CONFLICT, ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, why), null);
    }
}
