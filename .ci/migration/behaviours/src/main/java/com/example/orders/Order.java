package com.example.orders;

/** An order of a customer; a number below zero is rejected. */
public record Order(int number, String customer) {}
