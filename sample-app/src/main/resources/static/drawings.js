/* SPDX-License-Identifier: Apache-2.0 */
/* How batches form: a cell is a message, a column of ten is what one call carries. */

const PER_COLUMN = 10;

/** Draws so many messages in a place for more: ten to a column. */
export function drawCells(name, lit, count) {
  const place = document.querySelector(`[data-cells="${name}"]`);
  if (place.dataset.count !== String(count)) {
    place.dataset.count = count;
    place.replaceChildren(...Array.from({length: Math.ceil(count / PER_COLUMN)}, (_, column) =>
        parts('span', column, Math.min(PER_COLUMN, count - column * PER_COLUMN))));
  }
  place.querySelectorAll('i').forEach((cell, index) => cell.classList.toggle('lit', index < Math.round(lit)));
}

/** Draws what runs, and behind it what is blocked. */
export function drawLamps(name, lit, count, blocked = 0) {
  const row = document.querySelector(`[data-lamps="${name}"]`);
  if (row.children.length !== count) {
    row.replaceChildren(...Array.from({length: count}, () => document.createElement('i')));
  }
  [...row.children].forEach((lamp, index) => {
    lamp.classList.toggle('lit', index < lit);
    lamp.classList.toggle('blocked', index >= lit && index < lit + blocked);
  });
}

function parts(tag, column, count) {
  const element = document.createElement(tag);
  element.style.setProperty('--column', column);
  element.append(...Array.from({length: count}, (_, row) => {
    const cell = document.createElement('i');
    cell.style.setProperty('--row', row);
    return cell;
  }));
  return element;
}
