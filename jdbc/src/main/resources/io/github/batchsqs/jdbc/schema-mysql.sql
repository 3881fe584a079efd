CREATE TABLE IF NOT EXISTS batchsqs_inbox (
    queue VARCHAR(200) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    id VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    claim BIGINT NOT NULL,
    processed_at BIGINT NOT NULL,
    PRIMARY KEY (queue, id),
    KEY batchsqs_inbox_processed_at (processed_at)
) ENGINE = InnoDB;
