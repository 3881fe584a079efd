/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.BatchEntryIdsNotDistinctException;
import software.amazon.awssdk.services.sqs.model.BatchRequestTooLongException;
import software.amazon.awssdk.services.sqs.model.EmptyBatchRequestException;
import software.amazon.awssdk.services.sqs.model.InvalidAddressException;
import software.amazon.awssdk.services.sqs.model.InvalidAttributeNameException;
import software.amazon.awssdk.services.sqs.model.InvalidAttributeValueException;
import software.amazon.awssdk.services.sqs.model.InvalidBatchEntryIdException;
import software.amazon.awssdk.services.sqs.model.InvalidIdFormatException;
import software.amazon.awssdk.services.sqs.model.InvalidMessageContentsException;
import software.amazon.awssdk.services.sqs.model.InvalidSecurityException;
import software.amazon.awssdk.services.sqs.model.KmsAccessDeniedException;
import software.amazon.awssdk.services.sqs.model.KmsDisabledException;
import software.amazon.awssdk.services.sqs.model.KmsInvalidKeyUsageException;
import software.amazon.awssdk.services.sqs.model.KmsInvalidStateException;
import software.amazon.awssdk.services.sqs.model.KmsNotFoundException;
import software.amazon.awssdk.services.sqs.model.KmsOptInRequiredException;
import software.amazon.awssdk.services.sqs.model.KmsThrottledException;
import software.amazon.awssdk.services.sqs.model.MessageNotInflightException;
import software.amazon.awssdk.services.sqs.model.OverLimitException;
import software.amazon.awssdk.services.sqs.model.PurgeQueueInProgressException;
import software.amazon.awssdk.services.sqs.model.QueueDeletedRecentlyException;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;
import software.amazon.awssdk.services.sqs.model.QueueNameExistsException;
import software.amazon.awssdk.services.sqs.model.ReceiptHandleIsInvalidException;
import software.amazon.awssdk.services.sqs.model.RequestThrottledException;
import software.amazon.awssdk.services.sqs.model.ResourceNotFoundException;
import software.amazon.awssdk.services.sqs.model.SqsException;
import software.amazon.awssdk.services.sqs.model.TooManyEntriesInBatchRequestException;
import software.amazon.awssdk.services.sqs.model.UnsupportedOperationException;

/** The exceptions that the SDK has classes for, by the code in the JSON protocol: retry conditions may name them. */
final class ModeledExceptions {

    private ModeledExceptions() {}

    /** Returns a builder of the exception for the code, and of SQS's general one if the code has none of its own. */
    static SqsException.Builder of(@Nullable String code) {
        return switch (code == null ? "" : code) {
            case "BatchEntryIdsNotDistinct" -> BatchEntryIdsNotDistinctException.builder();
            case "BatchRequestTooLong" -> BatchRequestTooLongException.builder();
            case "EmptyBatchRequest" -> EmptyBatchRequestException.builder();
            case "InvalidAddress" -> InvalidAddressException.builder();
            case "InvalidAttributeName" -> InvalidAttributeNameException.builder();
            case "InvalidAttributeValue" -> InvalidAttributeValueException.builder();
            case "InvalidBatchEntryId" -> InvalidBatchEntryIdException.builder();
            case "InvalidIdFormat" -> InvalidIdFormatException.builder();
            case "InvalidMessageContents" -> InvalidMessageContentsException.builder();
            case "InvalidSecurity" -> InvalidSecurityException.builder();
            case "KmsAccessDenied" -> KmsAccessDeniedException.builder();
            case "KmsDisabled" -> KmsDisabledException.builder();
            case "KmsInvalidKeyUsage" -> KmsInvalidKeyUsageException.builder();
            case "KmsInvalidState" -> KmsInvalidStateException.builder();
            case "KmsNotFound" -> KmsNotFoundException.builder();
            case "KmsOptInRequired" -> KmsOptInRequiredException.builder();
            case "KmsThrottled" -> KmsThrottledException.builder();
            case "MessageNotInflight" -> MessageNotInflightException.builder();
            case "OverLimit" -> OverLimitException.builder();
            case "PurgeQueueInProgress" -> PurgeQueueInProgressException.builder();
            case "QueueDeletedRecently" -> QueueDeletedRecentlyException.builder();
            case "QueueDoesNotExist" -> QueueDoesNotExistException.builder();
            case "QueueNameExists" -> QueueNameExistsException.builder();
            case "ReceiptHandleIsInvalid" -> ReceiptHandleIsInvalidException.builder();
            case "RequestThrottled" -> RequestThrottledException.builder();
            case "ResourceNotFoundException" -> ResourceNotFoundException.builder();
            case "TooManyEntriesInBatchRequest" -> TooManyEntriesInBatchRequestException.builder();
            case "UnsupportedOperation" -> UnsupportedOperationException.builder();
            default -> SqsException.builder();
        };
    }
}
