// The row of users at the top, and the server's channels beside it. Imports dom.js and state.js.

import { avatar, h, icon } from './dom.js';
import { nameOf } from './state.js';

/** Return the address's hash for a person: the name, or the account's if names are shared. */
export function hashOf(user, users) {
  const shared = [...users].some((each) => each.id !== user.id && nameOf(each) === nameOf(user));
  return `#${encodeURIComponent(shared ? user.username : nameOf(user))}`;
}

/** Return the person that an address's hash names, or undefined. */
export function personOf(hash, users) {
  let name;
  try {
    name = decodeURIComponent(hash.replace(/^#/u, ''));
  } catch {
    return undefined;
  }
  const people = [...users];
  return (
    people.find((user) => nameOf(user) === name) ?? people.find((user) => user.username === name || user.id === name)
  );
}

/** Render the humans as chips. They are links, so that a person can be opened in another window. */
export function peopleChips(world) {
  const humans = [...world.users.values()].filter((user) => !user.bot);
  return humans.map((user, at) => {
    const me = user.id === world.me?.id;
    const closed = user.dms_open === false;
    const key = at < 9 ? `Alt+${at + 1}` : null;
    return h(
      'a',
      {
        class: `chip ${me ? 'me' : ''}`,
        href: hashOf(user, world.users.values()),
        'data-key': user.id,
        'data-person': nameOf(user),
        'data-person-id': user.id,
        // One stop for the Tab key: the arrow keys move along the row.
        tabindex: me ? '0' : '-1',
        'aria-current': me ? 'true' : null,
        'aria-label': `${me ? 'You are' : 'Play as'} ${nameOf(user)}${closed ? ', direct messages closed' : ''}`,
        'aria-keyshortcuts': key,
        title: [`${me ? 'You are' : 'Play as'} ${nameOf(user)}`, key, 'Ctrl+click: in another tab']
          .filter(Boolean)
          .join(' · '),
      },
      avatar(user, 'small'),
      h('span', { class: 'chip-name' }, nameOf(user)),
      closed && icon('lock'),
    );
  });
}

/** Left and Right move along the people; Enter switches to the focused one. */
export function walkChips(event) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const chip = event.target.closest('.chip');
  if (!step || !chip || event.altKey) return;
  const next = step > 0 ? chip.nextElementSibling : chip.previousElementSibling;
  next?.focus();
  event.preventDefault();
}

/** Render the bot's presence in words and colour. */
export function presenceView(world) {
  return [
    h('span', { class: `dot ${world.online ? 'on' : 'off'}`, 'aria-hidden': 'true' }),
    h('span', { class: 'presence-words' }, `${world.botName()} is ${world.online ? 'online' : 'offline'}`),
  ];
}

/** Render the server's channels as buttons, with their threads below them. */
export function channelButtons(world, current) {
  return world.listed(current).map((channel) => {
    const count = world.unread.get(channel.id) ?? 0;
    const fresh = world.fresh.has(channel.id) || count > 0;
    return h(
      'button',
      {
        class: `channel ${channel.parent ? 'thread' : ''} ${channel.id === current ? 'current' : ''} ${fresh ? 'fresh' : ''}`,
        type: 'button',
        'data-key': channel.id,
        'data-channel': channel.name,
        'data-channel-id': channel.id,
        'aria-current': channel.id === current ? 'page' : null,
      },
      channel.parent ? icon('thread') : h('span', { class: 'hash', 'aria-hidden': 'true' }, '#'),
      channel.parent && h('span', { class: 'unseen' }, 'Thread: '),
      h('span', { class: 'channel-name' }, channel.name),
      fresh && !count && h('span', { class: 'unseen' }, ', new messages'),
      badge(count),
    );
  });
}

/** Render the number of unread messages, if any. */
export function badge(count) {
  return (
    count > 0 &&
    h(
      'span',
      { class: 'badge', 'data-badge': String(count), 'aria-label': `${count} unread` },
      count > 99 ? '99+' : String(count),
    )
  );
}

/** Create the switch for direct messages from the bot. */
export function directSwitch(world) {
  const open = world.me?.dms_open !== false;
  return h(
    'button',
    {
      class: `switch ${open ? 'on' : ''}`,
      type: 'button',
      role: 'switch',
      'aria-checked': String(open),
      'data-dms': open ? 'open' : 'closed',
      title: 'Whether this person lets the bot send direct messages',
    },
    h('span', { class: 'switch-track', 'aria-hidden': 'true' }, h('span', { class: 'switch-knob' })),
    `DMs ${open ? 'open' : 'closed'}`,
  );
}

const PSEUDO = 'en-XA';

/** Create the choice of the language of this person's Discord. */
export function languageSelect(world) {
  const names = new Intl.DisplayNames(['en'], { type: 'language' });
  return h(
    'select',
    { class: 'language', 'data-locale': true, 'aria-label': 'Language of this person’s Discord', title: 'Language' },
    world.locales.map((locale) =>
      h(
        'option',
        { value: locale, selected: locale === world.me?.locale },
        locale === PSEUDO ? 'Pseudo (accents)' : names.of(locale),
      ),
    ),
  );
}
