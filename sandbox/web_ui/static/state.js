// What this user may see, as received from the socket, and the page's own state: pending presses, failures, choices in
// menus, unread counts. Announces changes to listeners. Imports nothing.

export const EPHEMERAL = 1 << 6;
export const LOADING = 1 << 7;
export const SILENT = 1 << 12;

const TYPING_MS = 10_000;

/** Compare snowflakes, which are too large for JavaScript's numbers: a longer string is later. */
export function later(a, b) {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : Number(a > b);
}

/** Return the displayed name. */
export function nameOf(user) {
  return user?.global_name || user?.username || 'unknown';
}

/**
 * `listen(fn)` gets `{what, channel, id, …}`: `state` (everything may have changed), `message` (with `fresh`,
 * `message`), `gone`, `look` (how a message is shown: spinner, failure), `people`, `unread`, `typing`, `echo`.
 */
export class World {
  me = null;
  bot = null;
  online = false;
  guild = null;
  users = new Map();
  channels = [];
  dm = null;
  locales = [];
  commands = [];
  unread = new Map();
  fresh = new Set();
  #messages = new Map();
  #looks = new Map();
  #busy = new Map();
  #failures = new Map();
  #picked = new Map();
  #echoes = new Map();
  #echoNumber = 0;
  #typing = new Map();
  #skew = 0;
  #listeners = [];

  listen(listener) {
    this.#listeners.push(listener);
  }

  #publish(change) {
    for (const listener of this.#listeners) listener(change);
  }

  /** Return the sandbox's time in milliseconds: countdowns must not depend on the reader's clock. */
  now() {
    return Date.now() + this.#skew;
  }

  /**
   * Apply a `state` frame. `afresh` marks a new connection; during a connection, this page knows better than the
   * sandbox what has been read.
   */
  load(frame, afresh) {
    const switched = frame.me !== this.me?.id;
    this.#skew = frame.now ? frame.now - Date.now() : 0;
    this.users = new Map(frame.users.map((user, tone) => [user.id, { ...user, tone }]));
    this.bot = frame.bot;
    if (frame.bot) this.users.set(frame.bot.id, { ...frame.bot, bot: true });
    if (frame.bot && 'online' in frame.bot) this.online = Boolean(frame.bot.online);
    this.me = this.users.get(frame.me);
    this.guild = frame.guild;
    this.channels = frame.channels;
    this.dm = frame.dm;
    this.locales = frame.locales;
    this.commands = frame.commands;
    this.#messages = new Map();
    for (const [channel, messages] of Object.entries(frame.messages)) {
      this.#messages.set(channel, new Map(messages.map((message) => [message.id, message])));
    }
    if (switched || afresh) {
      this.unread = new Map(Object.entries(frame.unread ?? {}).filter(([, count]) => count > 0));
      this.fresh.clear();
    }
    if (switched) {
      for (const kept of [this.#looks, this.#busy, this.#failures, this.#picked, this.#echoes, this.#typing])
        kept.clear();
    }
    this.#publish({ what: 'state', switched });
  }

  // ------------------------------------------------------------ messages

  /** Return the messages of a channel, oldest first. */
  messages(channel) {
    return [...(this.#messages.get(channel)?.values() ?? [])].sort((a, b) => later(a.id, b.id));
  }

  message(channel, id) {
    return this.#messages.get(channel)?.get(id);
  }

  put(channel, message) {
    if (!this.#messages.has(channel)) this.#messages.set(channel, new Map());
    const place = this.#messages.get(channel);
    const fresh = !place.has(message.id);
    place.set(message.id, message);
    this.#failures.delete(message.id);
    this.#picked.delete(message.id);
    if (message.author.id === this.bot?.id) this.#typing.delete(channel);
    this.#publish({ what: 'message', channel, id: message.id, message, fresh });
  }

  remove(channel, id) {
    this.#messages.get(channel)?.delete(id);
    this.#publish({ what: 'gone', channel, id });
  }

  // ------------------------------------------------------------ the display of a message

  /** Return a number that increases whenever an unchanged message must be redrawn. */
  look(id) {
    return this.#looks.get(id) ?? 0;
  }

  #redraw(channel, id) {
    this.#looks.set(id, this.look(id) + 1);
    this.#publish({ what: 'look', channel, id });
  }

  busy(id, customId) {
    return this.#busy.get(id)?.has(customId) ?? false;
  }

  /** Mark a control of a message as pending, or not. */
  setBusy(channel, id, customId, busy) {
    const controls = this.#busy.get(id) ?? new Set();
    if (busy) controls.add(customId);
    else controls.delete(customId);
    this.#busy.set(id, controls);
    if (busy) this.#failures.delete(id);
    this.#redraw(channel, id);
  }

  failure(id) {
    return this.#failures.get(id);
  }

  fail(channel, id, reason) {
    this.#failures.set(id, reason);
    this.#redraw(channel, id);
  }

  /** Store the reader's choice in a menu of this message, until the message is edited. */
  picked(id, customId) {
    return this.#picked.get(id)?.get(customId);
  }

  pick(channel, id, customId, values) {
    if (!this.#picked.has(id)) this.#picked.set(id, new Map());
    this.#picked.get(id).set(customId, values);
    this.#redraw(channel, id);
  }

  // ------------------------------------------------------------ pending commands

  /** Return the rows that only this page shows: commands that are pending or failed. */
  echoes(channel) {
    return this.#echoes.get(channel) ?? [];
  }

  addEcho(channel, command) {
    this.#echoNumber += 1;
    const echo = { key: `echo-${this.#echoNumber}`, command, at: this.now(), failed: null };
    this.#echoes.set(channel, [...this.echoes(channel), echo]);
    this.#publish({ what: 'echo', channel });
    return echo;
  }

  failEcho(channel, key, reason) {
    const failed = this.echoes(channel).map((echo) => (echo.key === key ? { ...echo, failed: reason } : echo));
    this.#echoes.set(channel, failed);
    this.#publish({ what: 'echo', channel });
  }

  dropEcho(channel, key) {
    this.#echoes.set(
      channel,
      this.echoes(channel).filter((echo) => echo.key !== key),
    );
    this.#publish({ what: 'echo', channel });
  }

  // ------------------------------------------------------------ people, notices, typing

  setOnline(online) {
    this.online = online;
    if (!online) this.#typing.clear();
    this.#publish({ what: 'people' });
  }

  setDms(id, open) {
    const user = this.users.get(id);
    if (user) user.dms_open = open;
    this.#publish({ what: 'people' });
  }

  setLocale(id, locale) {
    const user = this.users.get(id);
    if (user) user.locale = locale;
    this.#publish({ what: 'people' });
  }

  /** Count a notification in a channel. */
  call(channel) {
    this.unread.set(channel, (this.unread.get(channel) ?? 0) + 1);
    this.#publish({ what: 'unread', channel });
  }

  /** Mark a channel that is not open as having something new. */
  freshen(channel) {
    this.fresh.add(channel);
    this.#publish({ what: 'unread', channel });
  }

  /** Mark a channel as read and return true if anything in it was unread. */
  read(channel) {
    const counted = this.unread.delete(channel);
    const noticed = this.fresh.delete(channel) || counted;
    if (noticed) this.#publish({ what: 'unread', channel });
    return counted;
  }

  startTyping(channel) {
    const until = Date.now() + TYPING_MS;
    this.#typing.set(channel, until);
    this.#publish({ what: 'typing', channel });
    setTimeout(() => this.#publish({ what: 'typing', channel }), TYPING_MS + 50);
  }

  typing(channel) {
    return (this.#typing.get(channel) ?? 0) > Date.now();
  }

  // ------------------------------------------------------------ names

  role(id) {
    return this.guild?.roles?.find((role) => role.id === id);
  }

  channel(id) {
    return this.channels.find((channel) => channel.id === id);
  }

  /** Return the channels to choose from; archived threads only while they are open. */
  listed(current) {
    return this.channels.filter((channel) => !channel.archived || channel.id === current);
  }

  botName() {
    return this.bot ? nameOf(this.bot) : 'The bot';
  }
}
