/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.security.KeyStore;
import java.util.Map;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The port with TLS, for clients that trust the key store as the flags of a row's process name it. */
class SimulatorTlsTests {

    private static SelfSigned certificate;
    private static Simulator simulator;
    private static TrustManager[] trusting;

    @BeforeAll
    static void start() throws Exception {
        certificate = SelfSigned.create();
        simulator = Simulator.start(0, certificate);
        Map<String, String> flags = certificate.trustFlags().stream()
                .map(flag -> flag.substring("-Djavax.net.ssl.".length()).split("=", 2))
                .collect(Collectors.toMap(flag -> flag[0], flag -> flag[1], (one, other) -> one));
        trusting = trusting(flags);
    }

    @AfterAll
    static void stop() {
        simulator.close();
    }

    @Test
    void speaksTls13UnderTheNameOfTheHost() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trusting, null);
        URI endpoint = simulator.tlsEndpoint();
        try (SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(endpoint.getHost(), endpoint.getPort())) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
            socket.startHandshake();

            assertThat(socket.getSession().getProtocol()).isEqualTo("TLSv1.3");
            assertThat(socket.getSession().getPeerCertificates()).containsExactly(certificate.certificate());
        }
    }

    @Test
    void servesTheQueuesOfTheOtherPort() {
        try (SqsClient plain = sqs(simulator.endpoint());
                SqsClient tls = sqs(simulator.tlsEndpoint())) {
            String queue =
                    plain.createQueue(request -> request.queueName("both")).queueUrl();

            assertThat(tls.getQueueUrl(request -> request.queueName("both")).queueUrl())
                    .isEqualTo(simulator.tlsEndpoint() + queue.substring(queue.indexOf("/000000000000/")));
        }
    }

    private static SqsClient sqs(URI endpoint) {
        return SqsClient.builder()
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .httpClientBuilder(Apache5HttpClient.builder().tlsTrustManagersProvider(() -> trusting))
                .build();
    }

    private static TrustManager[] trusting(Map<String, String> flags) throws Exception {
        KeyStore store = KeyStore.getInstance(String.valueOf(flags.get("trustStoreType")));
        try (InputStream in = Files.newInputStream(certificate.file())) {
            store.load(in, String.valueOf(flags.get("trustStorePassword")).toCharArray());
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }
}
