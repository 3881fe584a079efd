/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a listener and of its server in a word and a sentence: the worst that holds. */

const states = {
  running: {word: 'Running', text: 'Messages are received, run in batches, and deleted after their handler has succeeded.'},
  idle: {state: 'running', word: 'Running', text: 'There is nothing to do. The listener waits in a long poll, and a message is handled when it comes.'},
  slow: {word: 'Slowed', text: 'Batches outlast their leases. The leases are extended, and no more is received than can be held.'},
  paused: {word: 'Paused', text: 'Nothing is received. What was received is still handled, and messages wait in the queue.'},
  stopped: {word: 'Not running', text: 'The listener receives nothing.'},
};

/** @returns {{state: string, word: string, text: string}} */
export function stateOf(live, listener) {
  if (live.controls.outage) {
    return outage('The server is cut off. Calls fail and are tried again, messages stay where they are, nothing is lost.');
  }
  if (listener.failing !== null) {
    return outage(`Receives fail (${listener.failing}). They are tried again, nothing is lost.`);
  }
  if (listener.state === 'PAUSED') {
    return named('paused');
  }
  if (listener.state !== 'RUNNING') {
    return {...named('stopped'), text: `The listener ${listener.id} is ${listener.state.toLowerCase()}.`};
  }
  if (live.controls.slow && listener.id === 'orders') {
    return named('slow');
  }
  const busy = listener.recent.perSecond > 0 || listener.now.inFlight > 0 || listener.depth?.waiting > 0;
  return named(busy ? 'running' : 'idle');
}

function named(state) {
  return {state, ...states[state]};
}

function outage(text) {
  return {state: 'outage', word: 'Outage', text};
}
