// A channel with its head, its messages and its composer: the page has two, one for the server's channels and one for the
// direct messages. Imports composer.js, dom.js and messages.js.

import { Composer } from './composer.js';
import { append, h } from './dom.js';
import { MessageList } from './messages.js';

/**
 * `element` is the section in index.html; `names` gives the words: `label` of the list, `welcome()` what stands over the
 * first message, `placeholder()` of the composer.
 */
export class Pane {
  #typing = h('div', { class: 'typing', role: 'status' });
  #world;

  constructor(element, world, acts, { composerId, direct, label, welcome, placeholder }) {
    this.element = element;
    this.#world = world;
    this.head = element.querySelector('.pane-head');
    this.list = new MessageList(element, world, { label, welcome, returned: () => acts.present(this.channel) });
    this.composer = new Composer(
      element,
      world,
      { id: composerId, direct, channel: () => this.channel, label: placeholder },
      acts,
    );
    append(element, this.#typing);
  }

  get channel() {
    return this.list.channel;
  }

  /** Whether it can be seen at all: on a phone only one pane is. */
  get visible() {
    return document.visibilityState === 'visible' && this.element.getClientRects().length > 0;
  }

  /** Whether somebody who looks at the page sees the newest message of this pane. */
  get seen() {
    return this.visible && this.list.atBottom;
  }

  /** Turn to a channel; `again` when another person looks at it. */
  show(channel, again = false) {
    const other = channel !== this.channel || again;
    this.list.show(channel, again);
    if (other) this.composer.clear();
    this.composer.update();
    this.showTyping();
  }

  showTyping() {
    const typing = this.channel !== null && this.#world.typing(this.channel);
    const text = typing ? `${this.#world.botName()} is typing…` : '';
    if (this.#typing.textContent !== text) this.#typing.textContent = text;
  }
}
