/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import io.github.batchsqs.Check;
import io.github.batchsqs.InvalidOptionException;
import io.github.batchsqs.autoconfigure.diagnostics.SetupException;
import io.github.batchsqs.autoconfigure.settings.BatchSqsProperties;
import io.github.batchsqs.autoconfigure.settings.ListenerSettings;
import io.github.batchsqs.receive.ListenerOptions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Puts the layers of settings together, and lets the customizers have the last word. */
final class ListenerOptionsSource {

    private final BatchSqsProperties properties;
    private final ListenerOptionsMapper mapper;
    private final List<ListenerOptionsCustomizer> customizers;
    private final SettingsRecord record = new SettingsRecord();

    ListenerOptionsSource(
            BatchSqsProperties properties, ListenerOptionsMapper mapper, List<ListenerOptionsCustomizer> customizers) {
        this.properties = properties;
        this.mapper = mapper;
        this.customizers = List.copyOf(customizers);
    }

    /**
     * The settings of one container, lowest first: defaults, annotation, those of each id.
     *
     * @param annotation what the annotation says, or {@code null} without one
     * @param ids the ids under which it has settings, the most special one last
     */
    LayeredSettings settings(@Nullable SettingsLayer annotation, Collection<String> ids) {
        var layers = new ArrayList<SettingsLayer>();
        layers.add(SettingsLayer.defaults(properties.listener()));
        if (annotation != null) {
            layers.add(annotation);
        }
        ids.forEach(id -> layers.addAll(of(id)));
        return new LayeredSettings(layers);
    }

    /** Two places may write an id in two ways; Boot lists the one of the stronger place first. */
    private List<SettingsLayer> of(String id) {
        return properties.listeners().entrySet().stream()
                .filter(entry -> Keys.same(entry.getKey(), id))
                .map(entry -> SettingsLayer.ofListener(entry.getKey(), entry.getValue()))
                .toList()
                .reversed();
    }

    /** The options of the container of an annotated method. */
    ListenerOptions options(String id, String queue, LayeredSettings settings, boolean single) {
        ListenerOptions options = mapper.map(id, queue, settings, single);
        record.mapped(options, settings);
        return customized(options, single);
    }

    /** The options of the container of a listener that is defined by code, which has its word before the customizers. */
    ListenerOptions options(String id, String queue, LayeredSettings settings, ListenerOptionsCustomizer code) {
        ListenerOptions options = mapper.map(id, queue, settings, false);
        record.mapped(options, settings);
        options = customized(options, code, false);
        record.customized(options, "of the definition");
        return customized(options, false);
    }

    private ListenerOptions customized(ListenerOptions mapped, boolean single) {
        ListenerOptions options = mapped;
        for (ListenerOptionsCustomizer customizer : customizers) {
            options = customized(options, customizer, single);
            record.customized(options, ClassUtils.getUserClass(customizer).getName());
        }
        return options;
    }

    private static ListenerOptions customized(
            ListenerOptions options, ListenerOptionsCustomizer customizer, boolean single) {
        try {
            ListenerOptions customized = customizer.customize(options);
            Check.that(customized.id().equals(options.id()), "id", "must stay", customized.id(), "keep the id");
            Check.that(
                    !single || customized.batchSize() == 1,
                    "batch-size",
                    "must be 1, since the method takes one message",
                    customized.batchSize(),
                    "leave it, or let the method take a List");
            return customized;
        } catch (InvalidOptionException broken) {
            throw Keys.renamed(
                    broken,
                    broken.option() + " of the listener '" + options.id() + "', changed by the customizer "
                            + ClassUtils.getUserClass(customizer).getName() + ",");
        }
    }

    /** Where the settings of the containers came from. */
    ListenerSettingsReport report() {
        return record;
    }

    /**
     * Every id that has settings must be the id of a listener.
     *
     * @param known the ids that there are
     */
    void requireKnown(Collection<String> known) {
        for (Map.Entry<String, ListenerSettings> entry : properties.listeners().entrySet()) {
            String key = entry.getKey();
            if (known.stream().noneMatch(id -> Keys.same(key, id))) {
                throw new SetupException(
                        "There are settings under batchsqs.listeners." + key + ", but no listener has the id '" + key
                                + "'. The ids are: "
                                + (known.isEmpty() ? "none" : String.join(", ", new TreeSet<>(known)))
                                + ".",
                        "Correct the key, give a listener this id (@BatchSqsListener(id = \"" + key
                                + "\")), or remove the settings.");
            }
        }
    }
}
