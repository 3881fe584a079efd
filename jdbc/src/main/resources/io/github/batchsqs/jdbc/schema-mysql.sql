CREATE TABLE IF NOT EXISTS batchsqs_inbox (
    queue VARCHAR(200) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    id VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    claim BIGINT NOT NULL,
    processed_at BIGINT NOT NULL,
    PRIMARY KEY (queue, id),
    KEY batchsqs_inbox_processed_at (processed_at)
) ENGINE = InnoDB;
CREATE TABLE IF NOT EXISTS batchsqs_outbox (
    id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
    client VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    queue VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    group_key VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin,
    group_id VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin,
    deduplication_id VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin,
    delay_seconds INT,
    attributes MEDIUMTEXT CHARACTER SET ascii COLLATE ascii_bin,
    body LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    bytes BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    owner VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin,
    due_at BIGINT NOT NULL,
    attempts INT NOT NULL,
    failed_at BIGINT,
    error VARCHAR(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
    KEY batchsqs_outbox_due_at (due_at, id)
) ENGINE = InnoDB;
CREATE TABLE IF NOT EXISTS batchsqs_outbox_lock (
    id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    alive_until BIGINT NOT NULL,
    open_from BIGINT NOT NULL DEFAULT 9223372036854775807
) ENGINE = InnoDB;
INSERT IGNORE INTO batchsqs_outbox_lock (id, alive_until) VALUES ('claim', 9223372036854775807);
