CREATE TABLE IF NOT EXISTS batchsqs_inbox (
    queue VARCHAR(200) NOT NULL,
    id VARCHAR(128) NOT NULL,
    claim BIGINT NOT NULL,
    processed_at BIGINT NOT NULL,
    PRIMARY KEY (queue, id)
);
CREATE INDEX IF NOT EXISTS batchsqs_inbox_processed_at ON batchsqs_inbox (processed_at);
CREATE TABLE IF NOT EXISTS batchsqs_outbox (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    client VARCHAR(100) NOT NULL,
    queue VARCHAR(500) NOT NULL,
    group_key VARCHAR(64),
    group_id VARCHAR(128),
    deduplication_id VARCHAR(128),
    delay_seconds INT,
    attributes CHARACTER LARGE OBJECT,
    body CHARACTER LARGE OBJECT NOT NULL,
    bytes BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    owner VARCHAR(40),
    due_at BIGINT NOT NULL,
    attempts INT NOT NULL,
    failed_at BIGINT,
    error VARCHAR(1000)
);
CREATE INDEX IF NOT EXISTS batchsqs_outbox_due_at ON batchsqs_outbox (due_at, id);
CREATE TABLE IF NOT EXISTS batchsqs_outbox_lock (
    id VARCHAR(40) PRIMARY KEY,
    alive_until BIGINT NOT NULL,
    open_from BIGINT DEFAULT 9223372036854775807 NOT NULL
);
MERGE INTO batchsqs_outbox_lock (id, alive_until) VALUES ('claim', 9223372036854775807);
