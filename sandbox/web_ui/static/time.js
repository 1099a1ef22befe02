// Moments in Discord's formats: message times, `<t:…>` timestamps, and relative ones that update themselves.
// Imports dom.js.

import { h } from './dom.js';

const LANGUAGE = 'en';
const STYLES = {
  t: { timeStyle: 'short' },
  T: { timeStyle: 'medium' },
  d: { dateStyle: 'short' },
  D: { dateStyle: 'long' },
  f: { dateStyle: 'long', timeStyle: 'short' },
  F: { dateStyle: 'full', timeStyle: 'short' },
  s: { dateStyle: 'short', timeStyle: 'short' },
  S: { dateStyle: 'short', timeStyle: 'medium' },
};
const RELATIVE = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'always' });
// Every unit in seconds, and how many of it are shown before the next unit is used.
const UNITS = [
  ['second', 1, 60],
  ['minute', 60, 60],
  ['hour', 3_600, 24],
  ['day', 86_400, 30],
  ['month', 2_592_000, 12],
  ['year', 31_536_000, Infinity],
];

const formats = new Map(Object.entries(STYLES).map(([style, how]) => [style, new Intl.DateTimeFormat(LANGUAGE, how)]));

/** Return "in 2 minutes" or "45 seconds ago" for a moment; both arguments are in milliseconds. */
export function relative(momentMs, nowMs) {
  const seconds = (momentMs - nowMs) / 1000;
  for (const [name, length, full] of UNITS) {
    const count = Math.round(seconds / length);
    if (Math.abs(count) < full) return RELATIVE.format(count, name);
  }
  return '';
}

/** Return the text of `<t:seconds:style>`. */
export function stampText(seconds, style, nowMs) {
  const moment = seconds * 1000;
  if (!Number.isFinite(new Date(moment).getTime())) return 'Invalid Date';
  return style === 'R' ? relative(moment, nowMs) : formats.get(style).format(moment);
}

/** Create an element for `<t:seconds:style>`; `tick` updates the relative ones. */
export function stamp(seconds, style, nowMs) {
  const valid = Number.isFinite(new Date(seconds * 1000).getTime());
  return h(
    'time',
    {
      class: 'stamp',
      datetime: valid && new Date(seconds * 1000).toISOString(),
      title: valid && stampText(seconds, 'F', nowMs),
      'data-unix': seconds,
      'data-relative': style === 'R',
    },
    stampText(seconds, style, nowMs),
  );
}

/** Update every relative timestamp. */
export function tick(root, nowMs) {
  for (const element of root.querySelectorAll('time[data-relative]')) {
    const text = stampText(Number(element.dataset.unix), 'R', nowMs);
    if (element.textContent !== text) element.firstChild.nodeValue = text;
  }
}

/** Return the calendar day of a moment on the reader's clock. */
export function dayOf(moment) {
  return new Date(moment).toDateString();
}

export function dayText(moment) {
  return formats.get('D').format(moment);
}

/** Return "Today at 14:02", as shown beside an author's name. */
export function whenText(moment, nowMs) {
  const day = dayOf(moment);
  if (day === dayOf(nowMs)) return `Today at ${clockText(moment)}`;
  if (day === dayOf(nowMs - 86_400_000)) return `Yesterday at ${clockText(moment)}`;
  return formats.get('s').format(moment);
}

export function clockText(moment) {
  return formats.get('t').format(moment);
}
