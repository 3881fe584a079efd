package com.example.orders;

class BeforeTests extends ShopBehaviours {}
