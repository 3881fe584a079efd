/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.HttpServerErrorException;
import org.springframework.web.client.RestClientResponseException;

/** The names in {@link Overloads} are those of the classes that Spring throws. */
class OverloadsOfSpringTests {

    @ParameterizedTest
    @CsvSource({"429, true", "503, true", "404, false", "500, false"})
    void areTheStatusCodesThatAskForLess(int code, boolean overload) {
        HttpStatus status = HttpStatus.valueOf(code);
        RestClientResponseException failure = status.is4xxClientError()
                ? HttpClientErrorException.create(
                        status, "as if", new HttpHeaders(), new byte[0], StandardCharsets.UTF_8)
                : HttpServerErrorException.create(
                        status, "as if", new HttpHeaders(), new byte[0], StandardCharsets.UTF_8);
        assertThat(Overloads.shows(failure)).isEqualTo(overload);
        assertThat(Overloads.shows(new IllegalStateException(failure))).isEqualTo(overload);
    }
}
