/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A key store (PKCS12) with the key and the certificate of the simulated SQS, which is also what clients trust.
 *
 * @param file the key store
 */
public record SelfSigned(Path file) {

    private static final String PASSWORD = "simulated";
    private static final String ALIAS = "simulator";

    /** Creates one in a new temporary folder, with the JDK's keytool. */
    public static SelfSigned create() throws IOException, InterruptedException {
        Path file = Files.createTempDirectory("batchsqs-simulator-").resolve("simulator.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=IP:127.0.0.1,DNS:localhost",
                        "-validity",
                        "30",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String output = new String(keytool.getInputStream().readAllBytes(), Charset.defaultCharset());
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool made no certificate: " + output);
        }
        return new SelfSigned(file);
    }

    /** Flags for a JVM whose clients trust the certificate by the platform's means. */
    public List<String> trustFlags() {
        return List.of(
                "-Djavax.net.ssl.trustStore=" + file,
                "-Djavax.net.ssl.trustStorePassword=" + PASSWORD,
                "-Djavax.net.ssl.trustStoreType=PKCS12");
    }

    /** The certificate. */
    X509Certificate certificate() throws IOException, GeneralSecurityException {
        return (X509Certificate) keyStore().getCertificate(ALIAS);
    }

    /** TLS 1.3 of the server: by OpenSSL if there is one for the platform, else by the JDK. */
    SslContext server() throws IOException, GeneralSecurityException {
        PrivateKey key = (PrivateKey) keyStore().getKey(ALIAS, PASSWORD.toCharArray());
        return SslContextBuilder.forServer(key, certificate())
                .sslProvider(OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK)
                .protocols("TLSv1.3")
                .build();
    }

    private KeyStore keyStore() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }
}
