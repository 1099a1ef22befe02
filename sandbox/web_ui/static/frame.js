// The frame around the two panes: users, the bot's presence, channels, headers, tabs and the window's title.
// Imports dom.js, patch.js, people.js and state.js.

import { append, avatar, h, icon } from './dom.js';
import { patch } from './patch.js';
import { badge, channelButtons, directSwitch, languageSelect, peopleChips, presenceView } from './people.js';
import { nameOf } from './state.js';

const find = (id) => document.getElementById(id);
const sign = (character) => h('span', { class: 'hash', 'aria-hidden': 'true' }, character);

export class Frame {
  #world;

  constructor(world) {
    this.#world = world;
  }

  /** Render everything; `current` is the id of the open channel, or null. */
  draw(current) {
    const world = this.#world;
    if (!world.me) return;
    const place = world.channel(current);
    fill(find('people'), peopleChips(world));
    fill(find('presence'), presenceView(world));
    find('presence').dataset.bot = world.online ? 'online' : 'offline';
    find('guild-name').textContent = world.guild?.name ?? 'No server';
    fill(find('channels'), channelButtons(world, current));
    fill(find('channel-head'), this.#channelHead(place));
    fill(find('direct-head'), this.#directHead());
    const calls = world.channels.reduce((sum, channel) => sum + (world.unread.get(channel.id) ?? 0), 0);
    const direct = world.unread.get(world.dm) ?? 0;
    fill(find('tab-channel'), [sign('#'), h('span', { class: 'tab-name' }, place?.name ?? 'channel'), badge(calls)]);
    fill(find('tab-direct'), [sign('@'), h('span', { class: 'tab-name' }, world.botName()), badge(direct)]);
    const count = calls + direct;
    document.title = `${count ? `(${count}) ` : ''}${nameOf(world.me)} · #${place?.name ?? ''} · Sandbox`;
  }

  #channelHead(place) {
    const { channels, unread, fresh } = this.#world;
    const news = channels.some((each) => each !== place && (unread.has(each.id) || fresh.has(each.id)));
    const label = `Choose a channel${news ? ', there is something new in others' : ''}`;
    return [
      h(
        'button',
        { class: 'picker', type: 'button', 'data-open-channels': true, 'aria-label': label, 'aria-haspopup': 'dialog' },
        icon('fold'),
        news && h('span', { class: 'dot news' }),
      ),
      place?.parent ? icon('thread') : sign('#'),
      h('h2', null, place?.name ?? 'no channel'),
    ];
  }

  #directHead() {
    const world = this.#world;
    return [
      world.bot && avatar({ ...world.bot, bot: true }, 'small'),
      h('h2', null, world.botName()),
      h('span', { class: 'tag' }, 'BOT'),
      badge(world.unread.get(world.dm) ?? 0),
      h('span', { class: 'stretch' }),
      languageSelect(world),
      directSwitch(world),
    ];
  }

  /** Return the introduction above the first message of a channel. */
  channelWelcome(current) {
    const place = this.#world.channel(current);
    if (!place) {
      return [
        h('h3', null, 'Nothing to see here'),
        h('p', null, 'This person is in no server, or may see none of its channels.'),
      ];
    }
    if (place.parent) {
      const above = this.#world.channel(place.parent);
      return [
        h('span', { class: 'welcome-sign', 'aria-hidden': 'true' }, icon('thread')),
        h('h3', null, place.name),
        h('p', null, 'A thread in ', h('button', linkTo(place.parent), `#${above?.name ?? '?'}`)),
      ];
    }
    return [
      h('span', { class: 'welcome-sign', 'aria-hidden': 'true' }, '#'),
      h('h3', null, `Welcome to #${place.name}`),
      this.#firstSteps(),
    ];
  }

  /** Return how to start, for new users. */
  #firstSteps() {
    const bot = this.#world.botName();
    const door = this.#world.commands.some((command) => command.name === 'play');
    const begin = door
      ? ['Press ', command('play'), ` or type it below: ${bot} shows its games.`]
      : ['Type ', h('kbd', null, '/'), ` below: the list shows what ${bot} can do.`];
    return h(
      'ol',
      { class: 'first-steps' },
      h('li', null, begin),
      h('li', null, 'Play against the computer, or with each other: press a name at the top to be that person.'),
      h('li', null, `What is secret is shown to one person alone, here or in the direct messages with ${bot}.`),
    );
  }

  /** Return the introduction above the first direct message. */
  directWelcome() {
    const bot = this.#world.botName();
    const me = this.#world.me ? nameOf(this.#world.me) : 'this person';
    return [
      this.#world.bot && avatar({ ...this.#world.bot, bot: true }, 'large'),
      h('h3', null, bot),
      h('p', null, `Direct messages between ${me} and ${bot}. Nobody else at the table sees them.`),
    ];
  }
}

const linkTo = (channel) => ({ class: 'mention', type: 'button', 'data-go-channel': channel });
const command = (path) =>
  h('button', { class: 'mention command-mention', type: 'button', 'data-run': path }, `/${path}`);

/** Replace an element's children without losing the focus inside it. */
function fill(element, children) {
  const fresh = element.cloneNode(false);
  append(fresh, children);
  patch(element, fresh);
}
