/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.testkit.Progress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.NotFoundException;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.support.Color;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.io.ClassPathResource;

/** The live page in a real browser: every button does what it says, at every width and in both colour schemes. */
@Tag("evidence")
@SampleTest
class LivePageTests {

    @TempDir
    private static Path profile;

    private static Browser browser;

    @Value("${sample.many-orders}")
    private int many;

    @Autowired
    private SampleState state;

    @LocalServerPort
    private int port;

    @BeforeAll
    static void startBrowser() {
        browser = Browser.start(profile);
    }

    @AfterAll
    static void closeBrowser() {
        if (browser != null) {
            browser.close();
        }
    }

    @BeforeEach
    void open() throws InterruptedException {
        state.reset();
        browser.offline(false);
        browser.as(1280, 800, "light");
        browser.driver().get("http://localhost:" + port + "/");
        until("the page is live", () -> state().equals("Running"));
        until("the queue is empty", () -> number("waiting") == 0 && number("dead-letters") == 0);
        until("the page is up to date", () -> upToDate("orders"));
    }

    /** A call that a button has made may go on sending after the page is gone. */
    @AfterEach
    void letCallsEnd() {
        until(
                "all calls are answered",
                () -> !script("return document.querySelector('.buttons').textContent")
                        .toString()
                        .contains("Waiting for the answer"));
    }

    @ParameterizedTest
    @CsvSource({
        "1280, light, laptop",
        "1280, dark, laptop",
        "390, light, phone",
        "390, dark, phone",
        "320, light, narrow",
        "3840, dark, 4k"
    })
    void isReadableOnEveryScreen(int width, String scheme, String device) throws IOException {
        browser.as(width, 900, scheme);
        int height = ((Number) script("return document.documentElement.scrollHeight")).intValue();
        browser.as(width, height, scheme);
        until("numbers move", () -> {
            boolean moving = number("in-flight") > 0 && number("delete-batch") > 1;
            if (!moving && number("waiting") == 0) {
                click("send"); // again, if all orders were handled between two looks at the page
            }
            return moving;
        });
        browser.screenshot("live-page-" + device + "-" + scheme);

        assertThat(script("return document.documentElement.scrollWidth")).isEqualTo((long) width);
        assertThat((List<?>) script(read("contrast.js"))).isEmpty();
        assertThat((List<?>) script("""
                document.querySelectorAll('[data-value=duplicates], [data-value=dead-letters]')
                    .forEach(each => { each.textContent = '12,345'; });
                return [...document.querySelectorAll('.strip, button, .answer, .big, .unit, .why, .sub')]
                    .filter(each => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1)
                    .map(each => each.textContent)""")).as("too long for their place").isEmpty();
        Color ground = Color.fromString(
                script("return getComputedStyle(document.body).backgroundColor").toString());
        assertThat(ground.getColor().getRed() > 127).isEqualTo(scheme.equals("light"));
        until("the orders are sent", () -> text(By.id("answer")).contains("orders were committed to the outbox"));
        assertThat(browser.errors()).isEmpty();
    }

    @Test
    void movesNothingForWhoWantsReducedMotion() {
        browser.likes("prefers-reduced-motion", "reduce");
        click("send");
        until("numbers move", () -> number("in-flight") > 0);
        assertThat(script("return document.getAnimations().length")).isEqualTo(0L);
        browser.likes("prefers-reduced-motion", "no-preference");
        until("cells move", () -> {
            click("send");
            return !script("return document.getAnimations().length").equals(0L);
        });
    }

    @Test
    void bothListenersRaceWithTheSameMessages() {
        until("it is idle", () -> text(By.id("notice")).startsWith("There is nothing to do"));
        double handled = number("handled");
        click("race");
        until("both laps are over", () -> number("race-ratio") > 0);
        assertThat(text(By.id("answer"))).startsWith("Each drained 200 messages twice, in turn, at its defaults");
        assertThat(number("race-ours")).isPositive();
        assertThat(number("race-peer-cpu")).isPositive();
        // They are no part of the shop
        assertThat(number("handled")).isEqualTo(handled);
        assertThat(browser.errors()).isEmpty();
    }

    @Test
    void visitorsPlaceOrdersUntilTheyAreSentHome() {
        double handled = number("listener-handled");
        until("it is idle", () -> text(By.id("notice")).startsWith("There is nothing to do"));
        click("visitors");
        until("they are in", () -> "true".equals(button("visitors").getAttribute("aria-pressed")));
        until("they order", () -> number("listener-handled") > handled + 1);
        click("visitors");
        until("they are gone", () -> "false".equals(button("visitors").getAttribute("aria-pressed")));
        assertThat(browser.errors()).isEmpty();
    }

    @Test
    void anErrorOfThePageItselfIsLoggedAndIsNoDisconnection() {
        tellThePage("listeners: []");
        until("the error is logged", () -> browser.errors().stream().anyMatch(line -> line.contains("TypeError")));
        assertThat(state()).isEqualTo("Running");
    }

    @Test
    void saysWhatIsLostWhenTheApplicationWasStartedAgain() {
        tellThePage("process: 1");
        until(
                "it says so",
                () -> text(By.id("answer")).startsWith("The application was started again. Memory is lost"));
        assertThat(browser.errors()).isEmpty();
    }

    /** Changes a part of what the application answers from now on. */
    private static void tellThePage(String changed) {
        Object ignored = script("""
                const fetched = window.fetch;
                window.fetch = async (...request) => {
                  const live = await (await fetched(...request)).json();
                  return new Response(JSON.stringify({...live, %s}));
                };
                return true;""".formatted(changed));
    }

    @Test
    void poisonBecomesDeadLettersUntilItIsRedriven() {
        assertDisabled("redrive", "There are no dead letters.");
        double retries = number("retries");
        click("poison");
        until("poison is retried", () -> number("retries") > retries);
        until("poison is dead letters", () -> number("dead-letters") == 10);
        assertThat(number("retries")).isGreaterThanOrEqualTo(retries + 20);
        double handled = number("listener-handled");
        until("they can be redriven", () -> enabled("redrive"));
        click("redrive");
        until("it says so", () -> text(By.id("answer")).contains("10 dead letters are on their way back"));
        until("they are handled", () -> number("listener-handled") == handled + 10 && number("dead-letters") == 0);
        assertThat(browser.errors()).isEmpty();
    }

    @Test
    void ordersThatAreSentTwiceAreSkippedOnce() {
        double skipped = number("duplicates");
        double handled = number("listener-handled");
        click("duplicates");
        until("it says so", () -> text(By.id("answer")).startsWith("10 orders are on their way, each of them twice"));
        until("one of each two is skipped", () -> number("duplicates") == skipped + 10);
        until("all are deleted", () -> number("listener-handled") == handled + 20);
        assertThat(shown("[data-part=inbox]")).isTrue();
        choose("stock");
        assertThat(shown("[data-part=inbox]")).isFalse();
        assertThat(shown("[data-stage=outbox]")).isFalse();
        choose("shipments");
        assertThat(shown("[data-part=inbox]")).isFalse();
        assertThat(shown("[data-stage=outbox]")).isTrue();
        assertThat(browser.errors()).isEmpty();
    }

    @Test
    void aSlowedHandlerHasItsLeasesExtended() {
        double extended = number("leases-extended");
        click("slow");
        until("it is slow", () -> "true".equals(button("slow").getAttribute("aria-pressed")));
        click("poison"); // any few orders will do
        until("messages are in flight", () -> number("in-flight") == 10 && number("invocations") >= 1);
        until("their leases are extended", () -> number("leases-extended") > extended && enabled("slow"));
        assertThat(text(By.id("notice"))).contains("The leases are extended");
        assertThat(text(By.id("slow"))).isEqualTo("Quicken the handler");
        click("slow");
        until("it is quick", () -> "false".equals(button("slow").getAttribute("aria-pressed")));
        until("they come to an end", () -> number("in-flight") == 0);
        assertThat(browser.errors()).isEmpty();
    }

    @Test
    void aPausedListenerReceivesNothingUntilItIsResumed() {
        click("pause");
        until("it is paused", () -> state().equals("Paused") && number("receiving") == 0);
        assertThat(text(By.id("notice"))).startsWith("Nothing is received");
        screenshots("paused");
        assertThat(text(By.id("pause"))).isEqualTo("Resume orders");
        click("send");
        until("orders wait", () -> number("waiting") >= many && enabled("pause"));
        click("pause");
        until("it runs", () -> state().equals("Running"));
        until("they are handled", () -> number("waiting") == 0 && number("in-flight") == 0);
        assertThat(browser.errors()).isEmpty();
    }

    @Test
    void whatIsSentInAnOutageIsHandledAfterIt() {
        double handled = number("listener-handled");
        click("outage");
        until("it says so", () -> text(By.id("notice")).startsWith("The server is cut off"));
        assertThat(state()).isEqualTo("Outage");
        screenshots("outage");
        assertDisabled("outage", "The server is cut off now.");
        click("send");
        until("they wait in the outbox", () -> number("unsent") > 0);
        until("it is over", () -> enabled("outage"));
        until("the orders are stored", () -> text(By.id("answer")).contains("orders were committed to the outbox"));
        until("all are handled", () -> number("listener-handled") >= handled + many);
        until("no row waits", () -> number("unsent") == 0);
        assertThat(shown("[data-stage=outbox]")).isTrue();
        assertThat(browser.errors()).isEmpty();
    }

    /** What a state looks like on each screen, for people to look at. */
    private static void screenshots(String state) {
        for (String scheme : List.of("light", "dark")) {
            browser.as(390, 844, scheme);
            browser.screenshot("live-page-" + state + "-phone-" + scheme);
            browser.as(1280, 800, scheme);
            browser.screenshot("live-page-" + state + "-laptop-" + scheme);
        }
        browser.as(1280, 800, "light");
    }

    @Test
    void aNotificationIsHandledByTheListenerOfStock() {
        choose("stock");
        double handled = number("listener-handled");
        click("arrival");
        until("it is handled", () -> number("listener-handled") == handled + 1);
        assertThat(text(By.id("answer"))).startsWith("12 teapots");
        assertThat(value("dead-letters")).isEqualTo("0");
        assertThat(browser.errors()).isEmpty();
    }

    @Test
    void showsTheFifoListenerToo() {
        choose("shipments");
        double handled = number("listener-handled");
        click("send");
        until("parcels are packed", () -> number("listener-handled") > handled);
        assertThat(value("queue")).isEqualTo("shipments.fifo");
        assertThat(text(By.id("pause"))).isEqualTo("Pause shipments");
        assertThat(browser.errors()).isEmpty();
    }

    @Test
    void worksFromTheKeyboard() {
        WebElement send = button("send");
        focusNextUntil(send);
        assertThat(focused()).isEqualTo("send");
        send.sendKeys(Keys.TAB);
        assertThat(focused()).isEqualTo("arrival");
        button("arrival").sendKeys(Keys.TAB);
        button("poison").sendKeys(Keys.TAB);
        // A button that cannot work is reached, says why, and does nothing
        assertThat(focused()).isEqualTo("redrive");
        button("redrive").sendKeys(Keys.ENTER);
        assertDisabled("redrive", "There are no dead letters.");
        assertThat(text(By.id("answer"))).isEqualTo("There are no dead letters.");
        button("redrive").sendKeys(Keys.TAB);
        button("slow").sendKeys(Keys.TAB);
        WebElement pause = button("pause");
        pause.sendKeys(Keys.SPACE);
        until("it is paused", () -> state().equals("Paused") && enabled("pause"));
        pause.sendKeys(Keys.SPACE);
        until("it runs", () -> state().equals("Running"));
        assertThat(browser.errors()).isEmpty();
    }

    @Test
    void saysThatTheApplicationDoesNotAnswerUntilItDoes() {
        browser.offline(true);
        until("it says so", () -> state().equals("Disconnected"));
        assertThat(text(By.id("notice"))).startsWith("The application does not answer");
        assertDisabled("send", "The application does not answer.");
        click("send");
        until("the press is answered", () -> text(By.id("answer")).equals("The application does not answer."));
        screenshots("disconnected");
        browser.offline(false);
        until("it runs", () -> state().equals("Running") && enabled("send"));
        until("the answer is removed", () -> text(By.id("answer")).equals("The application answers again."));
        assertThat(browser.errors()).allMatch(each -> each.contains("ERR_INTERNET_DISCONNECTED"));
    }

    @ParameterizedTest
    @CsvSource({"1280, 800", "390, 844"})
    void nothingMovesWhenTheStateChanges(int width, int height) {
        browser.as(width, height, "light");
        until(
                "no part is wider than the page",
                () -> Boolean.TRUE.equals(script(
                        "return document.documentElement.scrollWidth === document.documentElement.clientWidth")));
        Object places = places();
        click("pause");
        until("it is paused", () -> state().equals("Paused") && enabled("pause"));
        assertThat(places()).isEqualTo(places);
        click("pause");
        until("it runs", () -> state().equals("Running") && enabled("pause"));
        browser.offline(true);
        until("it is disconnected", () -> state().equals("Disconnected"));
        assertThat(places()).isEqualTo(places);
        browser.offline(false);
        until("it runs again", () -> state().equals("Running"));
        click("outage");
        until("it is cut off", () -> state().equals("Outage"));
        assertThat(places()).isEqualTo(places);
        List<String> ignored = browser.errors(); // of the requests while it was disconnected
    }

    @Test
    void theRateAndThePipelineAreAboveTheFoldOfALaptop() {
        assertThat(bottom("[data-value=rate]")).isLessThan(800);
        assertThat(bottom("#pipeline")).isLessThan(800);
    }

    @Test
    void aPhoneShowsTheButtonsBesideThePipeline() {
        browser.as(390, 844, "light");
        script("document.getElementById('pipeline').scrollIntoView({block: 'start'}); return true");
        assertThat(bottom("#send")).isLessThanOrEqualTo(844);
        assertThat(bottom("#outage")).isLessThanOrEqualTo(844);
        assertThat(bottom("#duplicates")).isLessThanOrEqualTo(844);
        // All stages are above the buttons
        assertThat(bottom("#pipeline"))
                .isLessThanOrEqualTo(
                        ((Number) script("return document.querySelector('.controls').getBoundingClientRect().top"))
                                .intValue());
    }

    @Test
    void aSeventhTabIsAsLiveAsTheFirst() {
        WebDriver driver = browser.driver();
        String first = driver.getWindowHandle();
        try {
            for (int tab = 2; tab <= 7; tab++) {
                driver.switchTo().newWindow(WindowType.TAB);
                driver.get("http://localhost:" + port + "/");
                until("tab " + tab + " is live", () -> state().equals("Running"));
            }
        } finally {
            for (String tab : driver.getWindowHandles()) {
                if (!tab.equals(first)) {
                    driver.switchTo().window(tab).close();
                }
            }
            driver.switchTo().window(first);
        }
        assertThat(browser.errors()).isEmpty();
    }

    private void choose(String listener) {
        browser.driver()
                .findElement(By.cssSelector("#listeners input[value=" + listener + "]"))
                .findElement(By.xpath(".."))
                .click();
        until("it is shown", () -> value("listener").equals(listener) && upToDate(listener));
    }

    /** The first numbers of a page may be half a second old. */
    private boolean upToDate(String listener) {
        return number("listener-handled") == state.acknowledged(listener);
    }

    /** Where things are that must not move. */
    private static Object places() {
        return script("""
                return [...document.querySelectorAll('.stats, .buttons button, #pipeline li, .code, .tiles > div, figure')]
                    .map(each => Math.round(each.getBoundingClientRect().top + scrollY))""");
    }

    private static boolean shown(String selector) {
        return browser.driver().findElement(By.cssSelector(selector)).isDisplayed();
    }

    private static int bottom(String selector) {
        return ((Number) script(
                        "return Math.round(document.querySelector('" + selector + "').getBoundingClientRect().bottom)"))
                .intValue();
    }

    /** Moves the focus on from the top of the page until it is there. */
    private static void focusNextUntil(WebElement wanted) {
        browser.driver().findElement(By.tagName("body")).sendKeys(Keys.TAB);
        for (int link = 0; link < 5 && !focused().equals(wanted.getAttribute("id")); link++) {
            browser.driver().switchTo().activeElement().sendKeys(Keys.TAB);
        }
    }

    private static String focused() {
        return script("return document.activeElement.id").toString();
    }

    private static String state() {
        return text(By.id("state"));
    }

    private static void click(String id) {
        button(id).click();
    }

    private static WebElement button(String id) {
        return browser.driver().findElement(By.id(id));
    }

    private static boolean enabled(String id) {
        return "false".equals(button(id).getAttribute("aria-disabled"));
    }

    private static void assertDisabled(String id, String reason) {
        until(id + " is disabled", () -> "true".equals(button(id).getAttribute("aria-disabled")));
        assertThat(text(By.id(id + "-hint"))).isEqualTo(reason);
    }

    private static String value(String name) {
        return text(By.cssSelector("[data-value='" + name + "']"));
    }

    /** What a number says; {@code -1} while there is none. */
    private static double number(String name) {
        String digits = value(name).replaceAll("[^\\d.]", "");
        return digits.isEmpty() ? -1 : Double.parseDouble(digits);
    }

    private static String text(By element) {
        return browser.driver().findElement(element).getText();
    }

    private static Object script(String script) {
        return Objects.requireNonNull(browser.driver().executeScript(script));
    }

    private static String read(String resource) throws IOException {
        return new ClassPathResource(resource).getContentAsString(StandardCharsets.UTF_8);
    }

    /** Waits as long as anything on the page changes. */
    private static void until(String what, Condition condition) {
        Progress.whileMoving(() -> List.of(what, script("return document.body.textContent")), () -> {
            try {
                return condition.holds();
            } catch (NotFoundException e) {
                return false;
            }
        });
    }

    private interface Condition {
        boolean holds();
    }
}
