// Notifications: toasts, the log of broken rules, a sound, and announcements for screen readers. Imports dom.js and
// memory.js.

import { h, icon } from './dom.js';
import { keep, recall } from './memory.js';

const TOAST_MS = 6_000;
const MOST_TOASTS = 3;
const MOST_VIOLATIONS = 200;

/** Short messages in the corner that disappear by themselves. */
export class Toasts {
  #box = h('div', { class: 'toasts', role: 'region', 'aria-label': 'Notifications' });

  constructor(parent) {
    parent.append(this.#box);
  }

  /** `place` is the toast's channel: opening it removes the toast. `act` is called when the toast is pressed. */
  show({ title, text, place = null, act = null }) {
    const close = () => toast.remove();
    const words = h(
      'button',
      { class: 'toast-words', type: 'button', disabled: !act, onclick: act ? () => (close(), act()) : null },
      h('strong', null, title),
      h('span', null, text),
    );
    const toast = h(
      'div',
      { class: 'toast', 'data-toast': true, 'data-place': place },
      words,
      h('button', { class: 'icon-button', type: 'button', 'aria-label': 'Close', onclick: close }, icon('close')),
    );
    this.#box.append(toast);
    while (this.#box.children.length > MOST_TOASTS) this.#box.firstChild.remove();
    setTimeout(close, TOAST_MS);
  }

  /** Remove the toasts of a channel, or all. */
  clear(place = null) {
    for (const toast of [...this.#box.children]) if (place === null || toast.dataset.place === place) toast.remove();
  }
}

/** The rules of Discord that the bot broke: each is a bug, so the list stays until it is cleared. */
export class Violations {
  #size = 0;
  #panel;
  #list = h('ol', { class: 'violation-list', id: 'violation-list', tabindex: '0', hidden: true });
  #count = h('strong');
  #newest = h('span', { class: 'violation-newest' });
  #toggle;

  constructor(parent) {
    this.#toggle = h(
      'button',
      {
        class: 'violation-toggle',
        type: 'button',
        'aria-expanded': 'false',
        'aria-controls': 'violation-list',
        onclick: () => this.#fold(),
      },
      icon('alert'),
      h('span', { class: 'violation-words' }, this.#count, ' ', this.#newest),
      icon('fold'),
    );
    const clear = h(
      'button',
      { class: 'button quiet', type: 'button', 'data-violations-clear': true, onclick: () => this.#empty() },
      'Clear',
    );
    this.#panel = h(
      'section',
      {
        class: 'violations',
        hidden: true,
        role: 'alert',
        'aria-label': 'Rules of Discord that the bot broke',
        'data-violations': '0',
      },
      h('div', { class: 'violation-head' }, this.#toggle, clear),
      this.#list,
    );
    parent.append(this.#panel);
  }

  add(text, moment) {
    const when = new Date(moment).toLocaleTimeString();
    this.#list.prepend(h('li', { 'data-violation': true }, h('time', null, when), ' ', text));
    while (this.#list.children.length > MOST_VIOLATIONS) this.#list.lastChild.remove();
    this.#size += 1;
    this.#count.textContent =
      this.#size === 1 ? 'The bot broke a rule of Discord:' : `The bot broke ${this.#size} rules of Discord, last:`;
    this.#newest.textContent = text;
    this.#panel.dataset.violations = String(this.#size);
    this.#panel.hidden = false;
  }

  #fold() {
    this.#list.hidden = !this.#list.hidden;
    this.#toggle.setAttribute('aria-expanded', String(!this.#list.hidden));
  }

  #empty() {
    this.#size = 0;
    this.#list.replaceChildren();
    this.#panel.dataset.violations = '0';
    this.#panel.hidden = true;
    this.#list.hidden = true;
    this.#toggle.setAttribute('aria-expanded', 'false');
  }
}

/** A short sound for notifications. It is off by default; the browser stores the setting. */
export class Bell {
  #on = recall('localStorage', 'sound') === 'on';
  #context = null;

  get on() {
    return this.#on;
  }

  toggle() {
    this.#on = !this.#on;
    keep('localStorage', 'sound', this.#on ? 'on' : 'off');
    if (this.#on) this.ring();
  }

  ring() {
    if (!this.#on) return;
    this.#context ??= new AudioContext();
    const { currentTime, destination } = this.#context;
    for (const [delay, pitch] of [
      [0, 660],
      [0.12, 880],
    ]) {
      const tone = this.#context.createOscillator();
      const volume = this.#context.createGain();
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0.08, currentTime + delay);
      volume.gain.exponentialRampToValueAtTime(0.0001, currentTime + delay + 0.22);
      tone.connect(volume).connect(destination);
      tone.start(currentTime + delay);
      tone.stop(currentTime + delay + 0.24);
    }
  }
}

/** Announces new messages, not edits, to screen readers. */
export class Announcer {
  #line = h('div', { class: 'unseen', 'aria-live': 'polite', 'data-announcer': true });

  constructor(parent) {
    parent.append(this.#line);
  }

  say(text) {
    this.#line.textContent = text;
  }
}
