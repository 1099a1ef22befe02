// A channel as a list of messages, which is patched on edits and keeps its scroll position. Imports dom.js,
// message.js, patch.js, state.js and time.js.

import { append, h, icon } from './dom.js';
import { echoView, messageView, REPLY } from './message.js';
import { patch } from './patch.js';
import { EPHEMERAL } from './state.js';
import { dayOf, dayText } from './time.js';

const GROUPED_MS = 7 * 60_000;
const NEAR_PX = 32;
const FAR = 50;

/**
 * The list inside `parent`. `show(channel)` switches to a channel; afterwards `update()` renders changes. A reader at
 * the bottom stays at the bottom; otherwise the visible part stays in place and new messages are counted.
 */
export class MessageList {
  #world;
  #channel = null;
  #scroller;
  #list;
  #pill;
  #welcome;
  #rows = new Map();
  #stuck = true;
  #missed = new Set();
  #anchor = null;
  #put = null;
  #returned;

  constructor(parent, world, { label, welcome, returned }) {
    this.#world = world;
    this.#welcome = welcome;
    this.#returned = returned;
    this.#list = h('div', { class: 'messages', role: 'log', 'aria-live': 'off' });
    this.#scroller = h('div', { class: 'scroller', tabindex: '0', role: 'region', 'aria-label': label }, this.#list);
    this.#pill = h('button', {
      class: 'jump',
      type: 'button',
      hidden: true,
      'data-jump': true,
      onclick: () => this.#jump(),
    });
    append(parent, h('div', { class: 'stream' }, this.#scroller, this.#pill));
    this.#scroller.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    // Keep the scroll position when an image loads, the window changes or a keyboard opens.
    const watch = new ResizeObserver(() => this.#settle());
    watch.observe(this.#list);
    watch.observe(this.#scroller);
  }

  get element() {
    return this.#scroller;
  }

  get channel() {
    return this.#channel;
  }

  /** True if the newest message is visible. */
  get atBottom() {
    return this.#stuck;
  }

  show(channel, again = false) {
    if (channel !== this.#channel || again) {
      this.#channel = channel;
      this.#rows.clear();
      this.#list.replaceChildren();
      this.#stuck = true;
      this.#missed.clear();
    }
    this.update();
  }

  /** Render changes; `fresh` is the id of a new message of somebody else. */
  update(fresh = null) {
    const held = this.#held();
    if (!this.#stuck) this.#anchor = this.#findAnchor();
    const wanted = this.#wanted();
    const keys = new Set(wanted.map((row) => row.key));
    for (const [key, row] of this.#rows) {
      if (keys.has(key)) continue;
      row.element.remove();
      this.#rows.delete(key);
    }
    let cursor = this.#list.firstChild;
    for (const row of wanted) {
      const old = this.#rows.get(row.key);
      let element = old?.element;
      if (!old) element = row.draw();
      else if (old.stamp.some((part, at) => part !== row.stamp[at])) element = patch(old.element, row.draw());
      if (element === cursor) cursor = cursor.nextSibling;
      else this.#list.insertBefore(element, cursor);
      this.#rows.set(row.key, { element, stamp: row.stamp });
    }
    if (!this.#stuck && fresh) this.#missed.add(fresh);
    for (const id of this.#missed) if (!keys.has(id)) this.#missed.delete(id);
    this.#settle();
    this.#restore(held);
    this.#showPill();
  }

  /** Render everything again, for instance because names have changed. */
  redraw() {
    for (const row of this.#rows.values()) row.stamp = [null];
    this.update();
  }

  #wanted() {
    const rows = [];
    const messages = this.#channel ? this.#world.messages(this.#channel) : [];
    let before = null;
    rows.push({
      key: 'welcome',
      stamp: [this.#channel, this.#world.commands],
      draw: () => h('div', { class: 'welcome', 'data-key': 'welcome' }, this.#welcome()),
    });
    for (const message of messages) {
      const day = dayOf(message.timestamp);
      if (!before || dayOf(before.timestamp) !== day) {
        const key = `day-${day}`;
        rows.push({
          key,
          stamp: [day],
          draw: () =>
            h(
              'div',
              { class: 'day', role: 'separator', 'data-key': key },
              h('span', null, dayText(Date.parse(message.timestamp))),
            ),
        });
        before = null;
      }
      const lead = !before || leads(message, before);
      rows.push({
        key: message.id,
        stamp: [message, lead, this.#world.look(message.id), this.#inThread(message)],
        draw: () => messageView(this.#world, this.#channel, message, lead),
      });
      before = message;
    }
    for (const echo of this.#channel ? this.#world.echoes(this.#channel) : []) {
      rows.push({ key: echo.key, stamp: [echo], draw: () => echoView(this.#world, echo) });
    }
    return rows;
  }

  /** Return a summary of the thread that was started from a message. */
  #inThread(message) {
    if (!message.thread) return null;
    const now = this.#world.channel(message.thread.id);
    return `${this.#world.messages(message.thread.id).length} ${now?.name} ${now?.archived}`;
  }

  // ------------------------------------------------------------ the scroll position

  /** Handle scrolling by the reader, as opposed to this list, whose content may have grown since. */
  #scrolled() {
    if (this.#scroller.scrollTop !== this.#put) this.#note();
  }

  /** Store the scroll position: the bottom, or the position of an element. */
  #note() {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    if (clientHeight === 0) return; // hidden, without a scroll position
    this.#put = null;
    this.#stuck = scrollHeight - scrollTop - clientHeight < NEAR_PX;
    if (this.#stuck) this.#missed.clear();
    else this.#seen();
    this.#anchor = this.#stuck ? null : this.#findAnchor();
    this.#showPill();
  }

  /** Return the focused control if it is visible, so that it does not move under the finger; else the first message. */
  #findAnchor() {
    const frame = this.#scroller.getBoundingClientRect();
    const focused = document.activeElement;
    const within = (box) => box.bottom > frame.top && box.top < frame.bottom;
    if (this.#list.contains(focused) && focused.dataset.customId && within(focused.getBoundingClientRect())) {
      return { element: focused, top: focused.getBoundingClientRect().top };
    }
    for (const element of this.#list.children) {
      const box = element.getBoundingClientRect();
      if (box.bottom > frame.top + 1) return { element, top: box.top };
    }
    return null;
  }

  #settle() {
    if (this.#stuck) this.#scroller.scrollTop = this.#scroller.scrollHeight;
    else if (this.#anchor?.element.isConnected) {
      this.#scroller.scrollTop += this.#anchor.element.getBoundingClientRect().top - this.#anchor.top;
    }
    this.#put = this.#scroller.scrollTop;
  }

  /** Stop counting new messages that the reader has scrolled to. */
  #seen() {
    const { bottom } = this.#scroller.getBoundingClientRect();
    for (const id of this.#missed) {
      const box = this.#rows.get(id)?.element.getBoundingClientRect();
      if (!box || box.top + Math.min(box.height, NEAR_PX) <= bottom) this.#missed.delete(id);
    }
  }

  /** Jump to the newest message. From far up, this reloads the channel, as in Discord's clients. */
  #jump() {
    const { bottom } = this.#scroller.getBoundingClientRect();
    const below = [...this.#list.children].filter((row) => row.getBoundingClientRect().top >= bottom);
    this.toBottom();
    if (below.length >= FAR) this.#returned();
  }

  toBottom() {
    this.#stuck = true;
    this.#missed.clear();
    this.#settle();
    this.#showPill();
  }

  /** Show the jump button if something is unread, or if the newest message is more than a screen away. */
  #showPill() {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    const { size } = this.#missed;
    this.#pill.hidden = this.#stuck || (size === 0 && scrollHeight - scrollTop < 2 * clientHeight);
    if (this.#pill.hidden) return;
    const news = size === 1 ? '1 new message' : `${size} new messages`;
    const text = size ? `${news}: jump to present` : 'Jump to present';
    if (this.#pill.textContent !== text) this.#pill.replaceChildren(text, icon('down'));
    this.#pill.classList.toggle('urgent', size > 0);
  }

  /** Scroll to a message and return true if it is in this channel. */
  reveal(id) {
    const element = this.#rows.get(id)?.element;
    if (!element) return false;
    this.#stuck = false;
    element.scrollIntoView({ block: 'center' });
    element.classList.remove('flash');
    void element.offsetWidth; // restarts the animation
    element.classList.add('flash');
    element.focus({ preventScroll: true });
    this.#note();
    return true;
  }

  // ------------------------------------------------------------ the focus

  /** Return which control of which message has the focus, if any. */
  #held() {
    const focused = document.activeElement;
    if (!this.#list.contains(focused)) return null;
    const key = focused.closest('article')?.dataset.key;
    return key ? { key, focused, customId: focused.dataset.customId, label: labelOf(focused) } : null;
  }

  /**
   * Restore the focus after a redraw: to the same control by id, else to one with the same label; else to the message,
   * so that a hasty key press does not use a control that has replaced the old one.
   */
  #restore(held) {
    if (!held) return;
    const article = this.#rows.get(held.key)?.element;
    if (!article) {
      this.#scroller.focus({ preventScroll: true });
      return;
    }
    const kept = held.focused.isConnected;
    if (
      kept &&
      (held.focused === article ||
        labelOf(held.focused) === held.label ||
        (held.customId && held.focused.dataset.customId === held.customId))
    ) {
      if (document.activeElement !== held.focused) held.focused.focus({ preventScroll: true });
      return;
    }
    const controls = [...article.querySelectorAll('button,a[href],[tabindex="0"]')];
    const same =
      (held.customId && controls.find((control) => control.dataset.customId === held.customId)) ??
      controls.find((control) => labelOf(control) === held.label) ??
      controls.find(
        (control) => held.customId && control.dataset.customId && firstWord(control) === held.label.split(' ')[0],
      );
    (same || article).focus({ preventScroll: true });
  }
}

const labelOf = (element) => element.ariaLabel || element.textContent.trim() || element.querySelector('img')?.alt || '';
const firstWord = (element) => labelOf(element).split(' ')[0];

function leads(message, before) {
  if (message.author.id !== before.author.id || message.message_reference || before.type > REPLY + 5) return true;
  if (message.interaction_metadata?.name || message.interaction) return true;
  if (((message.flags ?? 0) ^ (before.flags ?? 0)) & EPHEMERAL) return true;
  return Date.parse(message.timestamp) - Date.parse(before.timestamp) > GROUPED_MS;
}
