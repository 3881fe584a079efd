/* SPDX-License-Identifier: Apache-2.0 */
/* Two charts of the last minute, in the colours of the page. */

const POINTS = 120;

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function line(label, name, dash) {
  return {label, name, data: [], borderWidth: 2, pointRadius: 0, tension: 0.25, borderDash: dash ?? [], spanGaps: false};
}

function chart(id, datasets) {
  return new Chart(document.getElementById(id), {
    type: 'line',
    data: {labels: Array.from({length: POINTS}, (_, index) => (index - POINTS + 1) / 2), datasets},
    options: {
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      events: [],
      scales: {
        x: {grid: {display: false}, ticks: {autoSkip: false, maxRotation: 0, callback: seconds}},
        y: {beginAtZero: true, suggestedMax: 1, border: {display: false}, ticks: {maxTicksLimit: 5}},
      },
      plugins: {legend: {align: 'end', labels: {boxWidth: 18, boxHeight: 2}}},
    },
  });
}

function seconds(_, index) {
  const ago = (POINTS - 1 - index) / 2;
  return ago % 15 === 0 ? (ago === 0 ? 'now' : `${ago} s`) : null;
}

export class Charts {
  #rate = chart('rate-chart', [line('orders', 'accent'), line('shipments', 'second', [6, 4]), line('stock', 'third', [2, 3])]);
  #delay = chart('delay-chart', [line('median', 'accent'), line('p99', 'second', [6, 4])]);

  constructor() {
    this.restart();
    this.#paint();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#paint());
  }

  /** Forgets the delays: another listener is chosen. */
  restart() {
    this.#delay.data.datasets.forEach(each => { each.data = Array(POINTS).fill(null); });
    this.#rate.data.datasets.forEach(each => {
      if (each.data.length === 0) {
        each.data = Array(POINTS).fill(null);
      }
    });
  }

  add(listeners, chosen) {
    this.#rate.data.datasets.forEach(each => this.#push(each, listeners.find(({id}) => id === each.label).recent.perSecond));
    const {delay} = listeners.find(({id}) => id === chosen).recent;
    const [median, p99] = this.#delay.data.datasets;
    this.#push(median, delay === null ? null : delay.median / 1000);
    this.#push(p99, delay === null ? null : delay.p99 / 1000);
    this.#rate.update();
    this.#delay.update();
  }

  #push(dataset, value) {
    dataset.data.push(value);
    dataset.data.shift();
  }

  #paint() {
    [this.#rate, this.#delay].forEach(each => {
      each.data.datasets.forEach(dataset => { dataset.borderColor = colour(dataset.name); });
      each.options.color = colour('muted');
      each.options.scales.x.ticks.color = colour('muted');
      each.options.scales.y.ticks.color = colour('muted');
      each.options.scales.y.grid = {color: colour('line')};
      each.update();
    });
  }
}
