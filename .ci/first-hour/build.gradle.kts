// SPDX-License-Identifier: Apache-2.0
plugins {
    java
    id("org.springframework.boot") version "4.1.1"
}

repositories {
    mavenLocal() // until the first release
    mavenCentral()
}

dependencies {
    implementation(platform(org.springframework.boot.gradle.plugin.SpringBootPlugin.BOM_COORDINATES))
    implementation("io.github.batchsqs:batchsqs-spring-boot-starter:0.1.0-SNAPSHOT")
    // An SQS server in the process: for development
    runtimeOnly("org.elasticmq:elasticmq-rest-sqs_2.13:1.7.1")
    // For tests
    testImplementation("io.github.batchsqs:batchsqs-spring-boot-starter-test:0.1.0-SNAPSHOT")
    testRuntimeOnly("org.junit.platform:junit-platform-launcher")
}

tasks.test {
    useJUnitPlatform()
}
