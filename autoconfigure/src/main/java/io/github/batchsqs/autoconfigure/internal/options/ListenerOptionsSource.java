/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import io.github.batchsqs.autoconfigure.internal.options.LayeredSettings.Layer;
import io.github.batchsqs.autoconfigure.internal.settings.BatchSqsProperties;
import io.github.batchsqs.autoconfigure.internal.signature.Signature;
import io.github.batchsqs.autoconfigure.options.ListenerOptionsCustomizer;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.listener.BatchInterceptor;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ListenerOptions.AcknowledgeMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/** Combines the layers of settings into options, and applies the customizers. */
public final class ListenerOptionsSource {

    private static final Logger log = LoggerFactory.getLogger(ListenerOptionsSource.class);

    private final Layer defaults;
    private final Map<String, Layer> layersByKey = new LinkedHashMap<>();
    private final SettingConversions conversions;
    private final List<ListenerOptionsCustomizer> customizers;
    private final Set<String> clients;
    /** Whether interceptors see the batches, and so may acknowledge their messages. */
    private final boolean intercepted;

    private final ListenerSettingsReport report = new ListenerSettingsReport();

    public ListenerOptionsSource(
            BatchSqsProperties properties,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<ListenerOptionsCustomizer> customizers) {
        this.defaults = Layer.of(properties.listener(), key -> "batchsqs.listener." + key, true);
        properties
                .listeners()
                .forEach((id, settings) ->
                        layersByKey.put(id, Layer.of(settings, key -> LayeredSettings.keyOfListener(id, key), false)));
        this.clients = properties.clients().keySet();
        this.conversions = new SettingConversions(beans);
        this.customizers = customizers.orderedStream().toList();
        this.intercepted =
                BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, BatchInterceptor.class, true, false).length
                        > 0;
    }

    /**
     * {@return the settings of one container} Those of an id override the annotation, which overrides the defaults.
     *
     * @param annotation the attributes of the annotation, or {@code null} without one
     * @param ids the ids under which the container has settings, the most specific one last
     */
    public LayeredSettings settings(@Nullable AnnotationValues annotation, Collection<String> ids) {
        var layers = new ArrayList<>(List.of(defaults));
        if (annotation != null) {
            layers.add(annotation.settings());
        }
        ids.forEach(id -> layers.addAll(of(id)));
        return new LayeredSettings(layers);
    }

    /** Returns the lowest layer first. Several spellings may match one id; Boot lists the highest property source first. */
    private List<Layer> of(String id) {
        return layersByKey.entrySet().stream()
                .filter(entry -> SimilarIds.same(entry.getKey(), id))
                .map(Map.Entry::getValue)
                .toList()
                .reversed();
    }

    /**
     * {@return the options of a container}
     *
     * @param signatures those of the annotated methods; none if code defines the listener
     * @param code the changes of the code that defines the listener; it applies before the customizers
     */
    public ListenerOptions options(
            String id,
            String queue,
            LayeredSettings settings,
            List<Signature> signatures,
            ListenerOptionsCustomizer code) {
        boolean single = !signatures.isEmpty() && signatures.stream().allMatch(Signature::single);
        ListenerOptions mapped = ListenerSettingsTable.options(id, queue, settings, single, conversions);
        ClientNames.require(mapped.client(), clients);
        report.mapped(mapped, settings);
        ListenerOptions defined = customized(mapped, code, single);
        report.customized(defined, "of the definition");
        ListenerOptions options = customized(defined, single);
        signatures.forEach(signature -> checkAcknowledgement(options, settings, signature));
        return options;
    }

    private void checkAcknowledgement(ListenerOptions options, LayeredSettings settings, Signature signature) {
        AcknowledgeMode mode = options.acknowledge().mode();
        Check.that(
                mode == AcknowledgeMode.MANUAL || !signature.takesAcknowledgement(),
                LayeredSettings.keyOfListener(options.id(), ListenerSettingsTable.ACKNOWLEDGE_MODE),
                "must be manual for " + signature + ": the method takes an Acknowledgement",
                SettingConversions.text(mode),
                "set it to manual, or remove the parameter");
        boolean asSet = settings.find(ListenerSettingsTable.ACKNOWLEDGE_MODE) == AcknowledgeMode.MANUAL;
        Check.that(
                mode != AcknowledgeMode.MANUAL || signature.acknowledges() || intercepted,
                ListenerSettingsTable.ACKNOWLEDGE_MODE + (asSet ? "" : ", changed by a customizer,"),
                "must not be manual for " + signature
                        + ": the method has no parameter with which it could acknowledge a message",
                "manual",
                "add a parameter of type io.github.batchsqs.Acknowledgement to the method, take a MessageBatch, which has"
                        + " one, or set acknowledge.mode to on-success for the listener '" + options.id() + "'");
    }

    private ListenerOptions customized(ListenerOptions mapped, boolean single) {
        ListenerOptions options = mapped;
        for (ListenerOptionsCustomizer customizer : customizers) {
            options = customized(options, customizer, single);
            report.customized(options, ClassUtils.getUserClass(customizer).getName());
        }
        return options;
    }

    private ListenerOptions customized(ListenerOptions options, ListenerOptionsCustomizer customizer, boolean single) {
        try {
            ListenerOptions customized = customizer.customize(options);
            Check.that(customized.id().equals(options.id()), "id", "must stay", customized.id(), "keep the id");
            Check.that(
                    !single || customized.batchSize() == 1,
                    "batch-size",
                    "must be 1, since the method takes one message",
                    customized.batchSize(),
                    "leave it, or let the method take a List");
            ClientNames.require(customized.client(), clients);
            return customized;
        } catch (InvalidOptionException broken) {
            throw LayeredSettings.renamed(
                    broken,
                    broken.option() + " of the listener '" + options.id() + "', changed by the customizer "
                            + ClassUtils.getUserClass(customizer).getName() + ",");
        }
    }

    /** {@return the report on the settings of the containers} */
    public ListenerSettingsReport report() {
        return report;
    }

    /**
     * Looks for ids with settings and without a listener. One that is nearly the id of a listener without settings ends the start.
     * Others cause one warning: their listeners may belong to another profile or context, or be created at run time.
     *
     * @param known the ids of all listeners
     * @throws SetupException about an id that is nearly that of a listener
     */
    public void checkIds(Collection<String> known) {
        var ids = new TreeSet<>(known);
        List<String> absent = layersByKey.keySet().stream()
                .filter(key -> known.stream().noneMatch(id -> SimilarIds.same(key, id)))
                .toList();
        absent.forEach(key -> refuseNearMiss(key, ids));
        if (!absent.isEmpty()) {
            log.warn(
                    "batchsqs.listeners has settings for {}, but {}. Correct a misspelt id. Otherwise the settings apply to"
                            + " listeners that are created later.",
                    String.join(", ", absent),
                    ids.isEmpty()
                            ? "this application context has no listener"
                            : "no listener has such an id; the ids are: " + String.join(", ", ids));
        }
    }

    /** A listener that has settings of its own is not the one that was meant. */
    private void refuseNearMiss(String key, Set<String> ids) {
        String similar = SimilarIds.of(key, ids);
        if (similar != null && of(similar).isEmpty()) {
            throw new SetupException(
                    "batchsqs.listeners." + key + " has settings, but there is no listener with this id, and '"
                            + similar + "' is similar.",
                    "Correct it to batchsqs.listeners." + similar + ". If '" + key
                            + "' is the id of a listener that is created later, give '" + similar
                            + "' a setting as well.");
        }
    }
}
