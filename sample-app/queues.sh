#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Creates or deletes the queues of the sample with the AWS command line, which takes the account from its environment:
#   queues.sh create batchsqs-sample-
#   queues.sh delete batchsqs-sample-
# What is to be called instead of "aws" may stand in AWS_CLI.
set -euo pipefail

command="${1:?create or delete}"
prefix="${2-}"
read -ra aws <<<"${AWS_CLI:-aws} sqs"

# Creates a queue with attributes, given as the inside of a JSON object, and prints its ARN.
create() {
    local name="$prefix$1" attributes="$2" url
    if [[ "$name" == *.fifo ]]; then
        attributes="\"FifoQueue\":\"true\"${attributes:+,$attributes}"
    fi
    url="$("${aws[@]}" create-queue --queue-name "$name" --attributes "{$attributes}" --query QueueUrl --output text)"
    "${aws[@]}" get-queue-attributes --queue-url "$url" --attribute-names QueueArn --query Attributes.QueueArn --output text
}

# Creates a queue with its dead-letter queue.
create_both() {
    local arn
    arn="$(create "$2" "")"
    create "$1" "\"VisibilityTimeout\":\"10\",\"RedrivePolicy\":\"{\\\"deadLetterTargetArn\\\":\\\"$arn\\\",\\\"maxReceiveCount\\\":\\\"3\\\"}\""
}

delete() {
    local url
    url="$("${aws[@]}" get-queue-url --queue-name "$prefix$1" --query QueueUrl --output text)"
    "${aws[@]}" delete-queue --queue-url "$url"
}

case "$command" in
create)
    create_both orders orders-dlq
    create_both shipments.fifo shipments-dlq.fifo
    create_both stock stock-dlq
    ;;
delete)
    for queue in orders orders-dlq shipments.fifo shipments-dlq.fifo stock stock-dlq; do
        delete "$queue"
    done
    ;;
*)
    echo "The command must be create or delete, but is $command" >&2
    exit 1
    ;;
esac
