// A channel with its header, messages and composer. The page has two: one for the server's channels and one for direct
// messages. Imports composer.js, dom.js and messages.js.

import { Composer } from './composer.js';
import { append, h } from './dom.js';
import { MessageList } from './messages.js';

/**
 * `element` is the section in index.html; `names` has the texts: `label` of the list, `welcome()` above the first
 * message, `placeholder()` of the composer.
 */
export class Pane {
  #typing = h('div', { class: 'typing', role: 'status' });
  #world;

  constructor(element, world, actions, { composerId, direct, label, welcome, placeholder }) {
    this.element = element;
    this.#world = world;
    this.head = element.querySelector('.pane-head');
    this.list = new MessageList(element, world, { label, welcome, returned: () => actions.present(this.channel) });
    this.composer = new Composer(
      element,
      world,
      { id: composerId, direct, channel: () => this.channel, label: placeholder },
      actions,
    );
    append(element, this.#typing);
  }

  get channel() {
    return this.list.channel;
  }

  /** True if the pane is visible: on a phone only one is. */
  get visible() {
    return document.visibilityState === 'visible' && this.element.getClientRects().length > 0;
  }

  /** True if the newest message of this pane is visible. */
  get seen() {
    return this.visible && this.list.atBottom;
  }

  /** Switch to a channel; `again` if another user looks at it. */
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
