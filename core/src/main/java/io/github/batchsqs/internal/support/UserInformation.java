/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import java.util.regex.Pattern;

/** Keeps the user information of configured URLs, which may contain a password, out of errors and logs. */
public final class UserInformation {

    private static final Pattern UP_TO_HOST = Pattern.compile("^(\\p{Alpha}[\\p{Alnum}+.-]*:/+|/*).*@", Pattern.DOTALL);

    private UserInformation() {}

    /**
     * Returns the text with {@code ***} instead of everything between its scheme, if there is one, and its last {@code @}. The
     * text may be a malformed URL, or none.
     */
    public static String mask(String text) {
        return UP_TO_HOST.matcher(text).replaceFirst("$1***@");
    }
}
