package com.example.orders;

/** A document, larger than a message may be. */
public record Document(String name, String text) {}
