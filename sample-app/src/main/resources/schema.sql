-- SPDX-License-Identifier: Apache-2.0
CREATE TABLE IF NOT EXISTS shop_order (
    number BIGINT PRIMARY KEY,
    customer VARCHAR(100) NOT NULL,
    cents INT NOT NULL
);
