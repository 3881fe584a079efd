package com.example.orders;

class AfterTests extends ShopBehaviours {}
