/* SPDX-License-Identifier: Apache-2.0 */
/* The live page: asks /live twice a second, shows what it answers, and calls what the buttons stand for. */
import {Charts} from './charts.js';
import {Controls} from './controls.js';
import {drawCells, drawLamps} from './drawings.js';
import {stateOf} from './states.js';

const EVERY_MILLIS = 500;
const NO_ANSWER_MILLIS = 5000;
const NONE = '–';
const HEAP_DOTS = 100;
const HEAP_DOT = 100;
const PER_CALL = 10;

const whole = new Intl.NumberFormat('en', {maximumFractionDigits: 0});
const oneDigit = new Intl.NumberFormat('en', {maximumFractionDigits: 1, minimumFractionDigits: 1});
const twoDigits = new Intl.NumberFormat('en', {maximumFractionDigits: 2, minimumFractionDigits: 2});
const euros = new Intl.NumberFormat('en', {style: 'currency', currency: 'EUR', maximumFractionDigits: 0});

let chosen = 'orders';
let latest = null;
let latestAt = null;
let number = 0;
let started = null;

const charts = new Charts();
const controls = new Controls(() => chosen, showRace);

function set(name, text) {
  document.querySelectorAll(`[data-value="${name}"]`).forEach(each => setText(each, text));
}

function setText(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

function maybe(value, format) {
  return value === null ? NONE : format(value);
}

function duration(millis) {
  return millis < 1000 ? `${whole.format(millis)} ms` : `${oneDigit.format(millis / 1000)} s`;
}

function sum(listeners, of) {
  return listeners.reduce((total, each) => total + of(each), 0);
}

/** What happens in all listeners, and how long orders take to their handler. */
function showShopFloor(listeners) {
  set('rate', whole.format(sum(listeners, each => each.recent.perSecond)));
  set('handled', whole.format(sum(listeners, each => each.totals.handled)));
  const {delay} = listeners.find(each => each.id === 'orders').recent;
  set('hero-delay', maybe(delay, ({median}) => duration(median)));
  set('hero-delay-p99', maybe(delay, ({p99}) => duration(p99)));
}

/** The second laps of both libraries. */
function showRace({peer, ours}) {
  set('race-ratio', `${oneDigit.format(ours.perSecond / peer.perSecond)} ×`);
  set('race-ours', whole.format(ours.perSecond));
  set('race-peer', whole.format(peer.perSecond));
  set('race-ours-cpu', whole.format(ours.cpuMicrosPerMessage));
  set('race-peer-cpu', `${whole.format(peer.cpuMicrosPerMessage)} µs each`);
}

function doing({state, failing, now}) {
  if (failing !== null) {
    return 'trying again';
  }
  if (state === 'PAUSED') {
    return 'paused';
  }
  return now.blockedPollers === 0 ? 'receiving' : `receiving, ${now.blockedPollers} blocked`;
}

function showPipeline(listener) {
  const {now, limits, recent, depth, totals, unsent} = listener;
  document.querySelector('[data-stage="outbox"]').hidden = unsent === null;
  set('unsent', maybe(unsent, whole.format));
  drawCells('unsent', Math.ceil((unsent ?? 0) / HEAP_DOT), HEAP_DOTS);
  document.querySelector('[data-part="inbox"]').hidden = totals.duplicates === null;
  set('queue', listener.queue);
  set('kind', listener.queue.endsWith('.fifo') ? 'FIFO, in order for each customer' : 'standard');
  set('waiting', depth === null ? NONE : whole.format(depth.waiting));
  drawCells('waiting', Math.ceil((depth?.waiting ?? 0) / HEAP_DOT), HEAP_DOTS);
  set('receiving', whole.format(now.pollers - now.blockedPollers));
  set('pollers-max', whole.format(limits.pollers));
  set('pollers-doing', doing(listener));
  drawLamps('pollers', now.pollers - now.blockedPollers, limits.pollers, now.blockedPollers);
  set('receive', maybe(recent.receive, oneDigit.format));
  drawCells('receive', recent.receive ?? 0, PER_CALL);
  set('handoff', whole.format(now.handoff));
  drawCells('handoff', now.handoff, limits.batch);
  set('in-flight', whole.format(now.inFlight));
  set('in-flight-max', whole.format(limits.inFlight));
  document.querySelector('[data-fill="in-flight"]').style.width =
      `${limits.inFlight === 0 ? 0 : Math.min(100, 100 * now.inFlight / limits.inFlight)}%`;
  set('invocations', whole.format(now.invocations));
  set('invocations-max', whole.format(limits.invocations));
  drawLamps('invocations', now.invocations, limits.invocations);
  set('batch', maybe(recent.batch, whole.format));
  drawCells('batch', recent.batch ?? 0, limits.batch);
  set('batch-max', whole.format(limits.batch));
  set('delete-batch', maybe(recent.deleteBatch, oneDigit.format));
  drawCells('delete-batch', recent.deleteBatch ?? 0, PER_CALL);
  const pipeline = document.getElementById('pipeline');
  pipeline.classList.toggle('flowing', recent.perSecond > 0);
  pipeline.classList.toggle('receiving', recent.receive !== null);
}

function showNumbers(listener) {
  const {limits, recent, totals, depth} = listener;
  set('listener', listener.id);
  set('per-second', whole.format(recent.perSecond));
  set('listener-handled', whole.format(totals.handled));
  set('calls-per-message', totals.handled === 0 ? NONE : twoDigits.format(totals.calls / totals.handled));
  set('batch-fill', maybe(recent.batch, batch => `${whole.format(100 * batch / limits.batch)} %`));
  set('delay-median', maybe(recent.delay, delay => duration(delay.median)));
  set('delay-p99', maybe(recent.delay, delay => duration(delay.p99)));
  set('retries', whole.format(totals.retries));
  set('duplicates', maybe(totals.duplicates, whole.format));
  set('dead-letters', maybe(depth?.deadLetters ?? null, whole.format));
  set('leases-extended', whole.format(totals.leasesExtended));
  set('leases-lost', whole.format(totals.leasesLost));
}

function showShop(shop) {
  set('shop-orders', whole.format(shop.orders));
  set('shop-worth', euros.format(shop.cents / 100));
  set('shop-shipped', whole.format(shop.shipped));
  set('shop-pieces', whole.format(shop.pieces));
}

function showCode(id) {
  document.querySelectorAll('[data-code]').forEach(each => { each.hidden = each.dataset.code !== id; });
}

/** The state of the whole page: its colour, its icon, its word, and what it means. */
function showState({state, word, text}) {
  document.body.dataset.state = state;
  const icon = `#icon-${state}`;
  const use = document.getElementById('state-icon');
  if (use.getAttribute('href') !== icon) {
    use.setAttribute('href', icon);
  }
  setText(document.getElementById('state'), word);
  setText(document.getElementById('notice'), text);
  const title = `${word} · BatchSQS`;
  if (document.title !== title) {
    document.title = title;
  }
}

/** A radio button for each listener, made once. */
function offer(listeners) {
  const group = document.getElementById('listeners');
  if (group.querySelector('input')) {
    return;
  }
  listeners.forEach(({id}) => {
    const input = Object.assign(document.createElement('input'), {type: 'radio', name: 'listener', value: id, checked: id === chosen});
    input.addEventListener('change', () => {
      chosen = id;
      charts.show(chosen);
      showCode(chosen);
      show();
    });
    const label = document.createElement('label');
    label.append(input, Object.assign(document.createElement('span'), {textContent: id}));
    group.append(label);
  });
}

function show() {
  const listener = latest.listeners.find(each => each.id === chosen);
  showShopFloor(latest.listeners);
  showPipeline(listener);
  showNumbers(listener);
  showState(stateOf(latest, listener));
  showShop(latest.shop);
  controls.show(latest, listener);
}

/** Shows the numbers, and those that came since the last ones. */
function answered(live) {
  if (number === 0) {
    charts.begin(live.past);
  } else {
    live.past.forEach(each => charts.add(each));
  }
  if (started !== null && started !== live.process) {
    controls.startedAgain();
  }
  started = live.process;
  number = live.number;
  latest = live;
  latestAt = new Date();
  offer(live.listeners);
  charts.show(chosen);
  show();
}

function unanswered() {
  number = 0; // the next answer may be another process's
  showState({
    state: 'disconnected',
    word: 'Disconnected',
    text: latestAt === null
        ? 'The application does not answer. Is it running?'
        : `The application does not answer. These are its numbers of ${latestAt.toLocaleTimeString('en-GB')}.`,
  });
  document.getElementById('pipeline').classList.remove('flowing', 'receiving');
  controls.disconnected();
}

/** @returns what the application answers, or null if it does not; the browser itself logs connections that fail */
async function fetched() {
  try {
    const response = await fetch(`live?since=${number}`, {cache: 'no-store', signal: AbortSignal.timeout(NO_ANSWER_MILLIS)});
    if (!response.ok) {
      throw new Error(`HTTP ${response.status}`);
    }
    return await response.json();
  } catch (error) {
    if (error instanceof TypeError === false && error.name !== 'TimeoutError') {
      console.warn(error);
    }
    return null;
  }
}

/* Short requests instead of an open stream: a browser opens six connections to a host, in all its tabs together. */
async function ask() {
  const live = await fetched();
  setTimeout(ask, EVERY_MILLIS); // also after an error of what follows, which the browser logs
  if (live === null) {
    unanswered();
  } else {
    answered(live);
  }
}

ask();
