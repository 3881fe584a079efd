/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.docs.Page.Fence;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.send.SenderOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** The Kubernetes manifests on the pages parse, and agree with one another and with the defaults. No cluster has run them. */
class ManifestSnippetsTests {

    private final List<Map<String, Object>> manifests = manifests();

    @Test
    void eachHasAKindAndAName() {
        assertThat(manifests)
                .extracting(manifest -> manifest.get("kind"))
                .contains("Deployment", "ScaledObject", "TriggerAuthentication");
        assertThat(manifests)
                .allSatisfy(
                        manifest -> assertThat(at(manifest, "metadata", "name")).isInstanceOf(String.class));
    }

    @Test
    void theGracePeriodExceedsTheMaximumOfAStop() {
        int grace = (int) at(kind("Deployment"), "spec", "template", "spec", "terminationGracePeriodSeconds");
        var listener = ListenerOptions.builder("orders", "orders").build();
        assertThat((long) grace)
                .isGreaterThan(listener.shutdownTimeout()
                        .plus(SenderOptions.defaults().shutdownTimeout())
                        .toSeconds());
    }

    @Test
    void theScaledObjectNamesTheDeployment() {
        assertThat(at(kind("ScaledObject"), "spec", "scaleTargetRef", "name"))
                .isEqualTo(at(kind("Deployment"), "metadata", "name"));
    }

    /** KEDA polls, and cools down, only between no pod and one; above that its HorizontalPodAutoscaler scales. */
    @Test
    void aScaledObjectThatKeepsAPodSetsNothingThatHasNoEffect() {
        var spec = (Map<?, ?>) at(kind("ScaledObject"), "spec");
        assertThat((int) Objects.requireNonNull(spec.get("minReplicaCount"))).isPositive();
        assertThat(spec.containsKey("cooldownPeriod")).isFalse();
        assertThat(spec.containsKey("pollingInterval")).isFalse();
        assertThat(at(
                        kind("ScaledObject"),
                        "spec",
                        "advanced",
                        "horizontalPodAutoscalerConfig",
                        "behavior",
                        "scaleDown",
                        "stabilizationWindowSeconds"))
                .isInstanceOf(Integer.class);
    }

    private Map<String, Object> kind(String kind) {
        return manifests.stream()
                .filter(manifest -> kind.equals(manifest.get("kind")))
                .findFirst()
                .orElseThrow();
    }

    private static Object at(Map<String, Object> manifest, String... path) {
        Object found = manifest;
        for (String key : path) {
            assertThat(found).isInstanceOf(Map.class);
            found = Objects.requireNonNull(((Map<?, ?>) found).get(key), key);
        }
        return found;
    }

    private static List<Map<String, Object>> manifests() {
        List<Map<String, Object>> all = new ArrayList<>();
        for (Fence fence : Page.fences("yaml")) {
            if (fence.text().contains("apiVersion:")) {
                for (Object manifest : new Yaml().loadAll(fence.text())) {
                    @SuppressWarnings("unchecked")
                    var map = (Map<String, Object>) manifest;
                    all.add(map);
                }
            }
        }
        return all;
    }
}
