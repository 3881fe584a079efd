#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
AWS_CLI=awslocal /opt/queues.sh create
