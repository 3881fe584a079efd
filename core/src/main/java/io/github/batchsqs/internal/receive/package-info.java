/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The receive path. {@link io.github.batchsqs.internal.receive.EngineContainer} is its table of contents.
 *
 * <h2>FIFO</h2>
 *
 * <p>The order of a message group is kept by several classes, each of which owns one invariant. The tests below check
 * them one by one, and the module {@code histories} all of them together, under failures, lost leases, stops and
 * crashes.
 *
 * <dl>
 *   <dt>Order within a batch
 *   <dd>{@link io.github.batchsqs.internal.receive.handoff.GroupedHandoff} queues the messages of a group in the order of
 *       their receive and takes them from the head. If a receive brings a message that is in flight here already,
 *       {@link io.github.batchsqs.internal.receive.delivery.InFlightLedger} returns the new ones behind it to the queue.
 *       ({@code GroupedHandoffTests#aBatchHoldsOneGroupInOrder}, {@code
 *       InFlightLedgerTests#newOnesBehindAHeldOneOfTheirGroupGoBack})
 *   <dt>One batch of a group at a time
 *   <dd>{@link io.github.batchsqs.internal.receive.handoff.GroupedHandoff}: a group whose batch is out is not ready, in mixed
 *       batches too. ({@code GroupedHandoffTests#aGroupWhoseBatchIsOutWaitsUntilItIsReleased}, {@code
 *       GroupedHandoffTests#aMixedBatchHoldsNoGroupThatIsInARunningOne})
 *   <dt>Nothing runs behind a failure
 *   <dd>Within a batch, {@link io.github.batchsqs.internal.receive.invoke.BatchInvoker} stops a group at a message that cannot
 *       be converted; while messages run individually or in a group run, {@link io.github.batchsqs.internal.receive.invoke.BatchRun}
 *       stops it at one that fails. Of a batch that ran as a whole, {@link
 *       io.github.batchsqs.internal.receive.settle.Settler} deletes nothing behind the failure. The next batch does
 *       not start, because the failed message is still out. ({@code
 *       BatchInvokerTests#onFifoNothingRunsBehindAMessageThatCannotBeConverted}, {@code
 *       PartitionedListenerTests#onlyThePartThatFailedIsRetriedIndividually}, {@code
 *       GroupRunTests#nothingRunsBehindAMessageThatDidNotPass}, {@code
 *       SettlerGroupsTests#aRetryHoldsAFailedMessageAndItsFollowersUntilTheDelayIsOver})
 *   <dt>Deletes accepted before the next batch
 *   <dd>{@link io.github.batchsqs.internal.receive.delivery.InFlightLedger} reports a message as settled when SQS has accepted
 *       its delete, and {@link io.github.batchsqs.internal.receive.handoff.Dispatcher} lets the group go on when nothing of it
 *       is out anymore. Within a group run, and while messages run individually, the next message does not wait; nor do
 *       the deletes of one batch for one another, so a message whose delete is refused until its lease ends may run again
 *       behind later ones of its batch. If a delete is given up, {@link
 *       io.github.batchsqs.internal.receive.settle.VisibilityChanger} returns the messages behind it, which SQS withholds as long as
 *       it is hidden, and {@link io.github.batchsqs.internal.receive.settle.Settler} deletes none that ran behind it. A
 *       message whose delete is missing from before blocks its group until it is deleted. ({@code FifoGroupsTests#withManualAcknowledgementEachMessageWaitsForTheDeleteOfTheOneBefore}, {@code
 *       SettlerDeletesTests#messagesBehindAGivenUpDeleteReturnAndComeAfterItsMessage}, {@code
 *       SettlerDeletesTests#messagesThatRanBehindAGivenUpDeleteAreNotDeleted}, {@code
 *       GroupedHandoffTests#aMessageBlocksItsGroupUntilItHasLeft})
 *   <dt>Return from the tail
 *   <dd>{@link io.github.batchsqs.internal.receive.settle.VisibilityChanger} returns the last message of a group first, with those that
 *       wait behind the batch, so that no message is visible before one ahead of it, and makes one call at a time for a group. ({@code
 *       SettlerGroupsTests#theTailReturnsToTheQueueLastFirst}, {@code
 *       SettlerManualTests#aManualReleaseOfAGroupsMessageReturnsTheWaitingOnesBehindIt})
 *   <dt>A lost lease ends the group's run
 *   <dd>{@link io.github.batchsqs.internal.receive.invoke.BatchInvoker} does not run a message whose lease is lost, nor those
 *       behind it; {@link io.github.batchsqs.internal.receive.invoke.BatchRun} lets nothing start behind one whose lease is lost before
 *       its delete was accepted, also if that happens while interceptors run. {@link
 *       io.github.batchsqs.internal.receive.settle.VisibilityExtender} extends the messages of a group together. ({@code BatchInvokerTests#nothingRunsBehindAMessageWhoseLeaseRanOut}, {@code
 *       GroupRunTests#nothingStartsBehindALostLease}, {@code
 *       GroupRunTests#nothingStartsBehindALeaseThatIsLostWhileInterceptorsRun}, {@code
 *       VisibilityExtenderTests#aMessageOfAGroupThatIsNotYetDueIsExtendedWithTheOthersAndNoOtherGroup})
 *   <dt>Batches of several kinds
 *   <dd>{@link io.github.batchsqs.internal.receive.invoke.BatchInvoker} calls a {@link
 *       io.github.batchsqs.internal.receive.invoke.PartitionedListener} once for each part of a batch. A message never runs in a part
 *       ahead of the message before it in its group, and not at all behind one that did not pass or that the handler returned
 *       manually. Each part is settled before the next one starts; what is behind a part that the handler has not acknowledged yet
 *       waits in the hand-off. ({@code PartitionedListenerTests#nothingOfAGroupRunsBehindAPartThatTheHandlerHasNotAcknowledgedYet}, {@code
 *       PartitionedListenerTests#nothingOfAGroupRunsBehindAPartWhoseDeleteWasLost}, {@code
 *       PartitionedListenerTests#messagesOfSeveralGroupsAreCollectedByKindAsFarAsTheirOrderPermits},
 *       {@code PartitionedListenerTests#onlyThePartThatFailedIsRetriedIndividually})
 *   <dt>In-process retry
 *   <dd>{@link io.github.batchsqs.internal.receive.settle.InProcessRetries} decides whether a failed message is retried here.
 *       {@link io.github.batchsqs.internal.receive.handoff.GroupedHandoff} requeues it with those behind it at the head of the
 *       group, which goes on after the delay; messages that failed run one by one. A backoff that is too long to be spent
 *       here is cut. A message whose lease is or was lost returns to the queue instead. After the last attempt the group
 *       goes on when the dead-letter queue has accepted the message. ({@code
 *       InProcessRetriesTests#aMessageWhoseLeaseIsOrWasLostReturnsToTheQueue}, {@code
 *       PoisonedGroupsTests#aPoisonOfAnyMaxReceiveCountRunsAsOftenAtTheDefaultsAndItsNeighboursOnce}, {@code
 *       SettlerGroupsTests#aRetryHoldsAFailedMessageAndItsFollowersUntilTheDelayIsOver}, {@code
 *       GroupedHandoffTests#messagesThatFailedTogetherRunOneByOneEachAfterTheOneBefore}, {@code
 *       SettlerGroupsTests#theLastAttemptGoesToTheDeadLetterQueueAndItsFollowersRun})
 *   <dt>Errors of the engine
 *   <dd>{@link io.github.batchsqs.internal.receive.Run} ends by its stop, whatever the engine threw, and {@link
 *       io.github.batchsqs.internal.receive.EngineContainer} makes a new one. Messages whose settlement was begun return when their leases
 *       end. ({@code SupervisorTests#aMessageOfARunThatFailsIsHandledAndDeletedByTheNextRun})
 *   <dt>Stop
 *   <dd>{@link io.github.batchsqs.internal.receive.Pipeline} returns first the groups of which nothing runs, then what waits
 *       behind the last batches, and at last messages that still run, before it interrupts their handlers. A group
 *       run ends with the message that runs. No handler starts on messages that were returned while interceptors or converters ran.
 *       ({@code InterceptorsTests#theHandlerDoesNotStartOnMessagesThatWereReturnedWhileAnInterceptorRan}, {@code
 *       GroupedHandoffTests#drainingLeavesWhatWaitsBehindARunningBatchUnlessAsked}, {@code
 *       GroupRunTests#endedItFinishesTheMessageThatRuns}, {@code
 *       ContainerStopTests#inAStopOnFifoTheTailReturnsFirstAndMessagesBehindARunningBatchAfterIt}, {@code
 *       ContainerStopTests#messagesReturnedLateReturnInTheOrderOfTheirReceiveTheLastFirst})
 * </dl>
 */
@NullMarked
package io.github.batchsqs.internal.receive;

import org.jspecify.annotations.NullMarked;
