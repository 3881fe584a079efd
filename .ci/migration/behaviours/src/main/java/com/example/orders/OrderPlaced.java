package com.example.orders;

/** An event. */
public record OrderPlaced(int number) {}
