/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.codec;

import java.math.BigDecimal;
import java.math.MathContext;

/** Writes numbers as ECMAScript's {@code Number.prototype.toString} does, which RFC 8785 adopts. */
final class EcmaNumbers {

    private EcmaNumbers() {}

    /** @param value a finite one */
    static String write(double value) {
        if (value == 0) {
            return "0";
        }
        BigDecimal shortest = shortest(Math.abs(value));
        String digits = shortest.unscaledValue().toString();
        int point = digits.length() - shortest.scale();
        return (value < 0 ? "-" : "") + place(digits, point);
    }

    /**
     * Returns the value with the fewest digits that read back as the same value. {@link Double#toString(double)}
     * returns them (since JDK 19), except that it has at least two digits where one is enough ({@code 4.9E-324} for
     * {@code 5e-324}).
     */
    private static BigDecimal shortest(double value) {
        BigDecimal decimal = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        if (decimal.precision() == 2) {
            BigDecimal one = decimal.round(new MathContext(1)).stripTrailingZeros();
            return one.doubleValue() == value ? one : decimal;
        }
        return decimal;
    }

    /** Places the decimal point after the given number of digits. */
    private static String place(String digits, int point) {
        int count = digits.length();
        if (count <= point && point <= 21) {
            return digits + "0".repeat(point - count);
        }
        if (0 < point && point <= 21) {
            return digits.substring(0, point) + "." + digits.substring(point);
        }
        if (-6 < point && point <= 0) {
            return "0." + "0".repeat(-point) + digits;
        }
        int exponent = point - 1;
        String mantissa = count == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
        return mantissa + "e" + (exponent < 0 ? "-" : "+") + Math.abs(exponent);
    }
}
