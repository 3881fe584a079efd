/* SPDX-License-Identifier: Apache-2.0 */
/* Returns the texts of the page that stand out too little from what is behind them: below 4.5 to 1, as WCAG 2 AA has it. */
function parse(colour) {
  const [red, green, blue, alpha = 1] = colour.match(/[\d.]+/g).map(Number);
  return {rgb: [red, green, blue], alpha};
}

function luminance(rgb) {
  const [red, green, blue] = rgb.map(each => each / 255)
      .map(each => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function ground(element) {
  for (let each = element; each; each = each.parentElement) {
    const {rgb, alpha} = parse(getComputedStyle(each).backgroundColor);
    if (alpha > 0) {
      return rgb;
    }
  }
  return [255, 255, 255];
}

function contrast(element) {
  const [low, high] = [luminance(parse(getComputedStyle(element).color).rgb), luminance(ground(element))].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

return [...document.querySelectorAll('body *')]
    .filter(each => each.checkVisibility())
    .filter(each => [...each.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.textContent.trim()))
    .filter(each => contrast(each) < 4.5)
    .map(each => `${contrast(each).toFixed(2)}: ${each.textContent.trim()}`);
