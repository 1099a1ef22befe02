// Building elements node by node, so that no user's text is ever parsed as HTML. Imports nothing.

const SVG = 'http://www.w3.org/2000/svg';

// Outlines on a grid of 24 units, drawn with a stroke.
const ICONS = {
  alert: ['M12 3.5 22 20.5H2Z', 'M12 10v5', 'M12 17.6v.3'],
  bell: ['M6 16.5V11a6 6 0 0 1 12 0v5.5l1.8 1.8H4.2Z', 'M10 20.6a2.2 2.2 0 0 0 4 0'],
  check: ['m4.5 12.5 5 5 10-11'],
  close: ['m6 6 12 12', 'M18 6 6 18'],
  down: ['M12 4v15', 'm5.5 12.5 6.5 6.5 6.5-6.5'],
  eye: ['M2 12s3.6-6.5 10-6.5S22 12 22 12s-3.6 6.5-10 6.5S2 12 2 12Z', 'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z'],
  file: ['M6 2.8h8l4.5 4.5v14H6Z', 'M14 2.8v4.5h4.5'],
  fold: ['m6 9.5 6 6 6-6'],
  link: ['M8 5.5h10.5V16', 'M18 6 6 18'],
  lock: ['M6 11h12v9.5H6Z', 'M8.5 11V7.5a3.5 3.5 0 0 1 7 0V11'],
  reply: ['M21 17v-3a4 4 0 0 0-4-4H4', 'm9 5-5 5 5 5'],
  send: ['M3.5 4.5 21 12 3.5 19.5 6.5 12Z', 'M6.5 12H13'],
  silent: ['M6 16.5V11a6 6 0 0 1 12 0v5.5l1.8 1.8H4.2Z', 'M3.5 3.5l17 17'],
  slash: ['M16 4 8 20'],
  thread: ['M6 3v9a5 5 0 0 0 5 5h8', 'm15 12.5 4.5 4.5L15 21.5'],
};

/**
 * Create an element. An attribute that is null, undefined or false is left out; a function is a listener (`onclick`);
 * `style` is an object of CSS properties. Children are nodes, strings, lists of them, or null.
 */
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (name === 'style')
      for (const [property, text] of Object.entries(value)) element.style.setProperty(property, text);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  append(element, children);
  return element;
}

/** Add children as `h` takes them. */
export function append(parent, ...children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false && child !== '') parent.append(child);
  }
}

/** Create a decorative icon; its meaning must be given in words beside it. */
export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', `icon icon-${name}`);
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  for (const outline of ICONS[name]) {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', outline);
    svg.append(path);
  }
  return svg;
}

/** Return an http or https address, else null: no scripts, no data. */
export function safeUrl(address) {
  try {
    const url = new URL(address, location.href);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
  } catch {
    return null;
  }
}

// White letters are readable on all of them.
const TONES = ['#23845a', '#b3541e', '#a83f7e', '#1f7a8c', '#7a4fc0', '#b23b3b', '#5f6b1f', '#4a5fd0'];

/** Return the first letters of at most two words. */
export function initials(name) {
  const words = name.trim().split(/\s+/u).slice(0, 2);
  return words
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase();
}

/** Create an avatar of letters on a colour, without an image. `tone` numbers the people of a server. */
export function avatar(user, extra = '') {
  const name = user?.global_name || user?.username || '?';
  const colour = user?.bot ? '#5865f2' : TONES[(user?.tone ?? 0) % TONES.length];
  return h('span', { class: `avatar ${extra}`, 'aria-hidden': 'true', style: { '--colour': colour } }, initials(name));
}
