package com.example.orders;

/** A price, which its sender writes as {@code tea;120}. */
public record Price(String article, int cents) {}
