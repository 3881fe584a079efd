/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

/**
 * One message attribute.
 *
 * @param dataType {@code String}, {@code Number} or {@code Binary}, perhaps with a suffix
 * @param value text, or Base64 when {@code binary}
 * @param binary whether the value stands for bytes
 */
record AttributeValue(String dataType, String value, boolean binary) {

    static AttributeValue read(JsonScanner json) {
        String[] parts = {"String", "", ""};
        boolean[] binary = {false};
        json.object(name -> {
            switch (name) {
                case "DataType" -> parts[0] = json.string();
                case "StringValue" -> parts[1] = json.string();
                case "BinaryValue" -> {
                    parts[1] = json.string();
                    binary[0] = true;
                }
                default -> json.skip();
            }
        });
        return new AttributeValue(parts[0], parts[1], binary[0]);
    }
}
