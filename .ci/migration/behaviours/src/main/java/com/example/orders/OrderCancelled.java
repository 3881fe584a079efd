package com.example.orders;

/** An event. */
public record OrderCancelled(int number, String reason) {}
