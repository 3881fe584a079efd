package com.example.orders;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.stereotype.Component;

/** What the listeners did, in the order in which they did it. */
@Component
public class Journal {

    private final Map<String, List<String>> entries = new ConcurrentHashMap<>();

    public void write(String about, Object entry) {
        of(about).add(entry.toString());
    }

    public List<String> of(String about) {
        return entries.computeIfAbsent(about, unused -> new CopyOnWriteArrayList<>());
    }

    /** Writes an attempt, and returns whether it is the first one. */
    public boolean isFirst(String about, Object entry) {
        boolean first = !of(about).contains(entry.toString());
        write(about, entry);
        return first;
    }
}
