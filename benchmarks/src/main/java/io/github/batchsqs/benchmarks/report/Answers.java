/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.report;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A process that answers in lines. One that does not answer in time, or ends instead, is ended. */
public final class Answers implements AutoCloseable {

    private final String name;
    private final Process process;
    private final BufferedReader output;
    private final Writer input;

    /**
     * Takes over a process.
     *
     * @param name what errors call it
     */
    public Answers(String name, Process process) {
        this.name = name;
        this.process = process;
        this.output = process.inputReader();
        this.input = process.outputWriter();
    }

    /** Tells it to go on. */
    public void tell() throws IOException {
        try {
            input.write('\n');
            input.flush();
        } catch (IOException e) {
            throw failed("takes no input", e);
        }
    }

    /** The next line. */
    public String next(Duration limit) throws IOException, InterruptedException {
        FutureTask<String> line = new FutureTask<>(output::readLine);
        Thread unused = Thread.ofVirtual().name("answers-" + name).start(line);
        try {
            String answer = line.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            if (answer != null) {
                return answer;
            }
            throw failed("ended without an answer", new EOFException());
        } catch (TimeoutException e) {
            throw failed("did not answer within " + limit.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw failed("could not be read", e);
        }
    }

    private IOException failed(String how, Exception cause) {
        close();
        return new IOException(name + " " + how, cause);
    }

    /** Ends it, and returns when it is gone. */
    @Override
    public void close() {
        Process unused = process.destroyForcibly().onExit().join();
    }
}
