/* SPDX-License-Identifier: Apache-2.0 */
/* The buttons: each calls the server, and says what it answered. */

const whole = new Intl.NumberFormat('en');

/** A button that cannot work now stays reachable, so that its reason can be read. */
function enable(id, reason) {
  const button = document.getElementById(id);
  const hint = document.getElementById(`${id}-hint`);
  if (hint === null) {
    button.title = reason ?? '';
  } else {
    hint.dataset.usual ??= hint.textContent;
    const text = reason ?? hint.dataset.usual;
    if (hint.textContent !== text) {
      hint.textContent = text;
    }
  }
  button.setAttribute('aria-disabled', String(Boolean(reason)));
}

/** @returns why none can be moved back, or null */
function noDeadLetters(depth) {
  if (depth === null) {
    return 'The queue has not told its dead letters yet.';
  }
  return depth.deadLetters > 0 ? null : 'There are no dead letters.';
}

function label(id, text) {
  const button = document.getElementById(id);
  if (button.textContent !== text) {
    button.textContent = text;
  }
}

function toggle(id, on, text) {
  document.getElementById(id).setAttribute('aria-pressed', String(on));
  label(id, text);
}

function pressed(id) {
  return document.getElementById(id).getAttribute('aria-pressed') === 'true';
}

export class Controls {
  #chosen;
  #busy = new Set();
  #orders = 1;
  #lost = false;
  #unreached = false;

  /**
   * @param chosen tells which listener is chosen
   * @param raced shows the result of a race
   */
  constructor(chosen, raced) {
    this.#chosen = chosen;
    this.#on('race', () => this.#call('POST', 'controls/race', result => {
      raced(result);
      return `Each drained ${whole.format(result.messages)} messages twice, in turn, at its defaults. Second laps, CPU with the server's.`;
    }));
    this.#on('visitors', () => this.#call('PUT', `controls/visitors?here=${!pressed('visitors')}`, ({here}) =>
        here ? 'Visitors place orders now and then.' : 'The visitors have gone home.'));
    this.#on('send', () => this.#call('POST', `orders?count=${this.#orders}`, ({placed}, seconds) =>
        `${whole.format(placed)} orders were committed to the outbox within ${seconds} s.`));
    this.#on('poison', () => this.#call('POST', 'controls/poison', ({sent}) =>
        `${sent} poison orders are on their way. Each fails three times, then it is a dead letter.`));
    this.#on('duplicates', () => this.#call('POST', 'controls/duplicates', ({orders}) =>
        `${orders} orders are on their way, each of them twice. The inbox skips the second ones.`));
    this.#on('redrive', () => this.#call('POST', 'controls/redrive', ({moving}) =>
        `The handler is repaired, and ${whole.format(moving)} dead letters are on their way back.`));
    this.#on('slow', () => this.#call('PUT', `controls/pace?slow=${!pressed('slow')}`, ({slow}) =>
        slow ? 'The handler of orders is slow now.' : 'The handler of orders is quick again.'));
    this.#on('pause', () => {
      const listener = this.#chosen();
      return this.#call('POST', `controls/listeners/${listener}/${pressed('pause') ? 'resume' : 'pause'}`, ({state}) =>
          `The listener ${listener} is ${state.toLowerCase()}.`);
    });
    this.#on('outage', () => this.#call('POST', 'controls/outage', ({seconds}) =>
        `The server does not answer for ${seconds} seconds.`));
    this.#on('arrival', () => this.#call('POST', 'controls/arrivals', ({article, pieces}) =>
        `${pieces} ${article}s were announced in an SNS notification, for the listener stock.`));
  }

  /** Which buttons can work now, and what the others wait for. */
  show(live, listener) {
    const {orders: many, slow, visitors, outage, outageSeconds, noOutage} = live.controls;
    const orders = live.listeners.find(each => each.id === 'orders');
    const cutOff = outage ? 'The server is cut off now.' : null;
    this.#lost = false;
    if (this.#unreached) {
      this.#unreached = false;
      this.#say('The application answers again.');
    }
    this.#orders = many;
    label('send', `Send ${whole.format(many)} orders`);
    toggle('visitors', visitors, visitors ? 'Pause the visitors' : 'Let visitors in');
    toggle('slow', slow, slow ? 'Quicken the handler' : 'Slow the handler');
    const paused = listener.state === 'PAUSED';
    toggle('pause', paused, `${paused ? 'Resume' : 'Pause'} ${listener.id}`);
    enable('pause', paused || listener.state === 'RUNNING' ? null : `The listener is ${listener.state.toLowerCase()}.`);
    label('outage', `Cut SQS off for ${outageSeconds}\u00a0s`);
    enable('outage', noOutage ?? cutOff);
    enable('redrive', cutOff ?? noDeadLetters(orders.depth));
    enable('race', cutOff);
    ['send', 'poison', 'slow', 'arrival', 'duplicates', 'visitors'].forEach(id => enable(id, null));
    this.#busy.forEach(id => enable(id, 'Waiting for the answer …'));
  }

  /** No button can work while the application does not answer. */
  disconnected() {
    this.#lost = true;
    document.querySelectorAll('main button').forEach(({id}) => enable(id, 'The application does not answer.'));
  }

  /** What the page said of the process before is no longer true. */
  startedAgain() {
    this.#unreached = false;
    this.#say('The application was started again. Memory is lost: an outbox in H2, and the embedded queues.', true);
  }

  #on(id, action) {
    document.getElementById(id).addEventListener('click', async event => {
      if (this.#busy.has(id)) {
        return;
      }
      if (event.currentTarget.getAttribute('aria-disabled') === 'true') {
        this.#say(document.getElementById(`${id}-hint`)?.textContent ?? event.currentTarget.title, true); // a phone does not show the hint
        this.#unreached = this.#lost;
        return;
      }
      this.#busy.add(id);
      enable(id, 'Waiting for the answer …');
      await action();
      this.#busy.delete(id);
      enable(id, null);
    });
  }

  async #call(method, path, success) {
    const begin = performance.now();
    try {
      const response = await fetch(path, {method});
      const body = await response.json();
      if (response.ok) {
        this.#say(success(body, ((performance.now() - begin) / 1000).toFixed(1)));
      } else {
        this.#say(`That did not work: ${body.detail ?? response.status}`, true);
      }
    } catch {
      this.#unreached = true;
      this.#say('The application did not answer. This goes away when it does.', true);
    }
  }

  #say(text, bad = false) {
    const answer = document.getElementById('answer');
    answer.textContent = text;
    answer.classList.toggle('bad', bad);
  }
}
