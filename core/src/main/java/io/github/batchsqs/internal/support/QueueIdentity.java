/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What two spellings of a queue's URL have in common: account and name, and the region if the host is one of AWS. Host,
 * scheme, port and a slash at the end differ between endpoints of the same queue. Pure.
 */
public final class QueueIdentity {

    private static final Pattern PATH = Pattern.compile("https?://([^/?#]+)(?:/[^/?#]*)*?/([^/?#]+)/([^/?#]+)/*");
    private static final Pattern REGION = Pattern.compile("(?:^|\\.)([a-z]{2}(?:-[a-z]+)+-[0-9]+)(?:\\.|$)");

    private QueueIdentity() {}

    /** Returns a text that is equal for all URLs of one queue; the URL itself if it is not of the usual shape. */
    public static String of(String queueUrl) {
        Matcher url = PATH.matcher(queueUrl);
        if (!url.matches()) {
            return queueUrl;
        }
        return region(url.group(1).toLowerCase(Locale.ROOT)) + "/" + url.group(2) + "/" + url.group(3);
    }

    private static String region(String hostAndPort) {
        String host = hostAndPort.replaceFirst(":[0-9]*$", "");
        if (!host.contains(".amazonaws.") && !host.endsWith(".api.aws")) {
            return "";
        }
        Matcher region = REGION.matcher(host);
        return region.find() ? region.group(1) : "us-east-1"; // the old name without a region, queue.amazonaws.com
    }
}
