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
        x: {grid: {display: false}, ticks: {autoSkip: false, maxRotation: 0, callback: time}},
        y: {beginAtZero: true, suggestedMax: 1, border: {display: false}, ticks: {maxTicksLimit: 5}},
      },
      plugins: {legend: {align: 'end', labels: {boxWidth: 18, boxHeight: 2}}},
    },
  });
}

function time(_, index) {
  const ago = (POINTS - 1 - index) / 2;
  return ago % 15 === 0 ? (ago === 0 ? 'now' : `${ago} s`) : null;
}

function seconds(millis) {
  return millis === undefined ? null : millis / 1000;
}

export class Charts {
  #rate = chart('rate-chart', [line('orders', 'accent'), line('shipments', 'second', [6, 4]), line('stock', 'third', [2, 3])]);
  #delay = chart('delay-chart', [line('median', 'accent'), line('p99', 'second', [6, 4])]);
  #points = [];

  constructor() {
    this.#paint();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#paint());
  }

  /** Starts from the last minute: what happened in each listener, by its id, the oldest first. */
  begin(points) {
    this.#points = points;
  }

  add(point) {
    this.#points.push(point);
    this.#points = this.#points.slice(-POINTS);
  }

  /** Draws the rates of all listeners, and the delays of one. */
  show(chosen) {
    this.#rate.data.datasets.forEach(each => { each.data = this.#values(point => point[each.label]?.perSecond); });
    const [median, p99] = this.#delay.data.datasets;
    median.data = this.#values(point => seconds(point[chosen]?.delay?.median));
    p99.data = this.#values(point => seconds(point[chosen]?.delay?.p99));
    this.#rate.update();
    this.#delay.update();
  }

  #values(of) {
    const values = this.#points.map(point => of(point) ?? null);
    return [...Array(POINTS - values.length).fill(null), ...values];
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
