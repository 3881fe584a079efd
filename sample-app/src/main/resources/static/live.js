/* SPDX-License-Identifier: Apache-2.0 */
/* The live page: shows what /live tells twice a second, and calls what the buttons stand for. */
import {Charts} from './charts.js';
import {Controls} from './controls.js';

const whole = new Intl.NumberFormat('en', {maximumFractionDigits: 0});
const oneDigit = new Intl.NumberFormat('en', {maximumFractionDigits: 1, minimumFractionDigits: 1});
const twoDigits = new Intl.NumberFormat('en', {maximumFractionDigits: 2, minimumFractionDigits: 2});
const euros = new Intl.NumberFormat('en', {style: 'currency', currency: 'EUR', maximumFractionDigits: 0});
const NONE = '–';

const notices = {
  outage: 'The server is cut off. Calls fail and are tried again, messages stay where they are, nothing is lost.',
  PAUSED: 'Paused: nothing is received, and what was received is still handled. Messages wait in the queue.',
  slow: 'Batches take longer than the lease of their messages. The leases are extended, so nobody else gets them; and no more is received than can be held.',
};

let chosen = 'orders';
let latest = null;

const charts = new Charts();
const controls = new Controls(() => chosen);

function all(selector) {
  return document.querySelectorAll(selector);
}

function set(name, text) {
  all(`[data-value="${name}"]`).forEach(each => {
    if (each.textContent !== text) {
      each.textContent = text;
    }
  });
}

function fill(name, share) {
  all(`[data-fill="${name}"]`).forEach(each => {
    each.style.width = `${Math.min(1, Math.max(0, share)) * 100}%`;
  });
}

function cells(name, lit, count) {
  const row = document.querySelector(`[data-cells="${name}"]`);
  while (row.children.length < count) {
    row.append(document.createElement('i'));
  }
  while (row.children.length > count) {
    row.lastChild.remove();
  }
  [...row.children].forEach((cell, index) => cell.classList.toggle('lit', index < lit));
}

function maybe(value, format) {
  return value === null ? NONE : format(value);
}

function duration(millis) {
  return millis < 1000 ? `${whole.format(millis)} ms` : `${oneDigit.format(millis / 1000)} s`;
}

/** The saving, of all listeners, since the start. */
function showSaving(listeners) {
  const handled = listeners.reduce((sum, each) => sum + each.totals.handled, 0);
  const calls = listeners.reduce((sum, each) => sum + each.totals.calls, 0);
  if (handled === 0) {
    return;
  }
  set('handled', whole.format(handled));
  set('calls', whole.format(calls));
  set('one-by-one', whole.format(2 * handled));
  set('calls-per-message-ever', twoDigits.format(calls / handled));
  const longest = Math.max(calls, 2 * handled);
  fill('calls', calls / longest);
  fill('one-by-one', 2 * handled / longest);
}

function showPipeline(listener) {
  const {now, limits, recent, depth} = listener;
  set('queue', listener.queue);
  set('kind', listener.queue.endsWith('.fifo') ? 'FIFO: in order for each customer' : 'Standard queue');
  set('waiting', depth === null ? NONE : whole.format(depth.waiting));
  fill('waiting', depth === null ? 0 : depth.waiting / 10_000);
  set('pollers', whole.format(now.pollers));
  set('pollers-max', whole.format(limits.pollers));
  cells('pollers', now.pollers, limits.pollers);
  set('handoff', whole.format(now.handoff));
  set('batch-max', whole.format(limits.batch));
  set('in-flight-max', whole.format(limits.inFlight));
  fill('in-flight', limits.inFlight === 0 ? 0 : now.inFlight / limits.inFlight);
  set('invocations', whole.format(now.invocations));
  set('invocations-max', whole.format(limits.invocations));
  cells('invocations', now.invocations, limits.invocations);
  set('delete-batch', maybe(recent.deleteBatch, oneDigit.format));
  cells('delete-batch', Math.round(recent.deleteBatch ?? 0), 10);
  const pipeline = document.getElementById('pipeline');
  pipeline.classList.toggle('flowing', recent.perSecond > 0);
  pipeline.style.setProperty('--pace', `${Math.max(0.35, 1.6 - Math.log10(1 + recent.perSecond) * 0.4)}s`);
}

function showNumbers(listener) {
  const {now, limits, recent, totals, depth} = listener;
  const ever = totals.handled === 0 ? null : totals.calls / totals.handled;
  set('listener', listener.id);
  set('per-second', whole.format(recent.perSecond));
  set('listener-handled', whole.format(totals.handled));
  set('calls-per-message', maybe(ever, twoDigits.format));
  set('calls-per-message-now', recent.callsPerMessage === null ? '' : `, now ${twoDigits.format(recent.callsPerMessage)}`);
  set('batch-fill', maybe(recent.batch, batch => `${whole.format(100 * batch / limits.batch)} %`));
  set('batch', maybe(recent.batch, whole.format));
  set('in-flight', whole.format(now.inFlight));
  set('delay-median', maybe(recent.delay, delay => duration(delay.median)));
  set('delay-p99', maybe(recent.delay, delay => duration(delay.p99)));
  set('retries', whole.format(totals.retried));
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

function showState(listener, buttons) {
  const state = document.getElementById('state');
  state.textContent = listener.state.toLowerCase();
  state.className = `state ${listener.state.toLowerCase()}`;
  const slow = buttons.slow && listener.id === 'orders' ? notices.slow : undefined;
  const text = (buttons.outage ? notices.outage : notices[listener.state]) ?? slow ?? '';
  const notice = document.getElementById('notice');
  notice.classList.toggle('bad', buttons.outage);
  if (notice.textContent !== text) {
    notice.textContent = text;
  }
  notice.hidden = text === '';
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
      show();
    });
    const label = document.createElement('label');
    label.append(input, Object.assign(document.createElement('span'), {textContent: id}));
    group.append(label);
  });
}

function show() {
  const listener = latest.listeners.find(each => each.id === chosen);
  showSaving(latest.listeners);
  showPipeline(listener);
  showNumbers(listener);
  showState(listener, latest.controls);
  showShop(latest.shop);
  controls.show(latest, listener);
}

function connected(text, healthy) {
  const connection = document.getElementById('connection');
  if (connection.textContent !== text) {
    connection.textContent = text;
    connection.classList.toggle('live', healthy);
  }
}

const events = new EventSource('live');
events.addEventListener('past', event => charts.begin(JSON.parse(event.data)));
events.onmessage = event => {
  latest = JSON.parse(event.data);
  connected('Live', true);
  offer(latest.listeners);
  charts.add(Object.fromEntries(latest.listeners.map(({id, recent}) => [id, recent])), chosen);
  show();
};
events.onerror = () => connected('Connection lost, trying again …', false);
