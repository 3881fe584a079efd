CREATE TABLE IF NOT EXISTS batchsqs_inbox (
    queue VARCHAR(200) NOT NULL,
    id VARCHAR(128) NOT NULL,
    claim BIGINT NOT NULL,
    processed_at BIGINT NOT NULL,
    PRIMARY KEY (queue, id)
);
CREATE INDEX IF NOT EXISTS batchsqs_inbox_processed_at ON batchsqs_inbox (processed_at);
