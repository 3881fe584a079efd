/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.autoconfigure.internal.settings.BatchSqsProperties;
import io.github.batchsqs.docs.Page.Fence;
import io.github.batchsqs.testkit.SettingsMetadata;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.env.PropertySourceLoader;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

/**
 * Binds the settings on the pages like an application: every key is known, and every value has the right type and keeps its
 * rule. Settings that are quoted from a file are the settings of that file's application.
 */
class SettingsSnippetsTests {

    /** Keys that Boot knows, but that its metadata does not describe. */
    private static final Set<String> OTHERS = Set.of("spring.config.activate.on-profile");

    /** Keys whose children are free. */
    private static final Set<String> MAPS = new TreeSet<>();

    private static final Set<String> KNOWN = known();

    /** Meters and observations; tests in core and autoconfigure check that these pages are complete. */
    private static final Set<String> NAMES_OF_PAGES = namesOfPages();

    static List<Fence> settings() {
        return Page.fences("yaml", "properties").stream()
                .filter(fence -> fence.file().isEmpty()
                        && !fence.text().contains("apiVersion:")
                        && !fence.text().contains("AWSTemplateFormatVersion:"))
                .toList();
    }

    static List<String> namedInText() {
        return Page.all().stream()
                .flatMap(page -> page.codes().stream())
                .map(code -> code.replaceFirst("[=:].*", ""))
                .filter(code -> code.matches("batchsqs(\\.[a-z0-9<>-]+)+"))
                .distinct()
                .toList();
    }

    @ParameterizedTest
    @MethodSource("settings")
    void settingsBind(Fence fence) throws IOException {
        for (PropertySource<?> document : documents(fence)) {
            var keys = Arrays.asList(((EnumerablePropertySource<?>) document).getPropertyNames());
            assertThat(keys)
                    .isNotEmpty()
                    .allSatisfy(key -> assertThat(isKnown(key))
                            .as("%s: %s is known", fence, key)
                            .isTrue());
            var source = Objects.requireNonNull(ConfigurationPropertySource.from(document));
            new Binder(List.of(source), null, ApplicationConversionService.getSharedInstance())
                    .bindOrCreate(
                            "batchsqs",
                            Bindable.of(BatchSqsProperties.class),
                            new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
        }
    }

    @ParameterizedTest
    @MethodSource("namedInText")
    void everyNamedKeyOrMeterExists(String name) {
        String plain = name.replaceFirst("^batchsqs\\.listeners\\.[^.]+", "batchsqs.listener");
        assertThat(isKnown(plain) || NAMES_OF_PAGES.stream().anyMatch(known -> (known + ".").startsWith(plain + ".")))
                .as("%s is a setting, a meter, an observation or a health contributor", name)
                .isTrue();
    }

    private static Set<String> namesOfPages() {
        Set<String> names = new TreeSet<>(KNOWN);
        names.add("batchsqs.released.version"); // of the build
        Page.all().stream()
                .filter(page -> Set.of("docs/meters.md", "docs/tracing.md", "docs/operations.md")
                        .contains(page.file().toString()))
                .flatMap(page -> page.codes().stream())
                .forEach(names::add);
        return names;
    }

    private static List<PropertySource<?>> documents(Fence fence) throws IOException {
        PropertySourceLoader loader =
                fence.language().equals("yaml") ? new YamlPropertySourceLoader() : new PropertiesPropertySourceLoader();
        return loader.load(
                fence.place(), new ByteArrayResource(fence.text().getBytes(StandardCharsets.UTF_8), fence.place()));
    }

    private static boolean isKnown(String key) {
        String plain =
                key.replaceAll("\\[\\d+]", "").replaceFirst("^batchsqs\\.listeners\\.[^.]+", "batchsqs.listener");
        return KNOWN.stream().anyMatch(known -> plain.equals(known) || isEntryOfMap(known, plain));
    }

    private static boolean isEntryOfMap(String known, String key) {
        return MAPS.contains(known) && (key.startsWith(known + ".") || key.startsWith(known + "["));
    }

    private static Set<String> known() {
        Set<String> names = new TreeSet<>(OTHERS);
        SettingsMetadata.properties().forEach(property -> {
            String name = property.get("name").asString();
            names.add(name);
            if (property.path("type").asString("").matches("java\\.util\\.(Map|List)<.*")) {
                MAPS.add(name);
            }
        });
        assertThat(names).contains("batchsqs.listener.batch-size", "spring.cloud.aws.region.static");
        return names;
    }
}
