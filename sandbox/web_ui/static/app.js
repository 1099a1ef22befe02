// The page as a whole: the current user and channel, the effects of the sandbox's frames, and the handling of every
// click. Imports the other modules.

import { Actions } from './actions.js';
import { walk } from './components.js';
import { icon } from './dom.js';
import { Frame } from './frame.js';
import { plainText } from './markdown.js';
import { Lightbox } from './media.js';
import { keep, recall } from './memory.js';
import { Announcer, Bell, Violations, Toasts } from './notices.js';
import { Pane } from './pane.js';
import { channelButtons, hashOf, personOf, walkChips } from './people.js';
import { closeMenu } from './select.js';
import { Socket } from './socket.js';
import { nameOf, World } from './state.js';
import { dayOf, tick } from './time.js';
import { Travel } from './travel.js';

const LOOKED_AFTER_MS = 2_000;
const SPOKEN_LETTERS = 240;

const find = (id) => document.getElementById(id);

class App {
  #world = new World();
  #frame = new Frame(this.#world);
  #socket;
  #actions;
  #channel;
  #direct;
  #toasts = new Toasts(document.body);
  #violations = new Violations(find('alerts'));
  #bell = new Bell();
  #speaker = new Announcer(document.body);
  #lightbox = new Lightbox(document.body);
  #lookTimer = 0;
  #afresh = true;
  #settled = false;
  #travel = new Travel((place) => this.#return(place));
  #day = dayOf(Date.now());

  constructor() {
    this.#socket = new Socket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/socket`, {
      onopen: () => {
        this.#afresh = true;
        this.#hello(this.#world.me?.id ?? '');
      },
      onlost: () => this.#showLine(false),
      onframe: (frame) => this.#take(frame),
    });
    this.#actions = new Actions(this.#world, this.#socket, (channel) => this.#paneOf(channel)?.list.toBottom());
    this.#channel = new Pane(find('channel-pane'), this.#world, this.#actions, {
      composerId: 'composer',
      direct: false,
      label: 'Messages in the channel',
      welcome: () => this.#frame.channelWelcome(this.#channel.channel),
      placeholder: () => {
        const place = this.#world.channel(this.#channel?.channel);
        return place?.parent ? `Message in ${place.name}` : `Message #${place?.name ?? ''}`;
      },
    });
    this.#direct = new Pane(find('direct-pane'), this.#world, this.#actions, {
      composerId: 'composer-direct',
      direct: true,
      label: 'Direct messages with the bot',
      welcome: () => this.#frame.directWelcome(),
      placeholder: () => `Message @${this.#world.botName()}`,
    });
    this.#world.listen((change) => this.#changed(change));
    this.#bind();
    this.#showTab('channel');
    this.#showSound();
    this.#socket.connect();
  }

  #paneOf(channel) {
    return [this.#channel, this.#direct].find((pane) => pane.channel === channel);
  }

  // ------------------------------------------------------------ the connection

  #hello(user) {
    this.#socket.forget();
    this.#socket.send({ op: 'hello', user });
  }

  #showLine(connected) {
    find('line').hidden = connected;
    document.body.dataset.connected = String(connected);
    if (!connected) this.#world.setOnline(false);
  }

  #take(frame) {
    const world = this.#world;
    switch (frame.op) {
      case 'state':
        this.#showLine(true);
        this.#enter(frame);
        break;
      case 'message':
        world.put(frame.channel, frame.message);
        break;
      case 'gone':
        world.remove(frame.channel, frame.id);
        break;
      case 'modal':
        this.#actions.openModal(document.body, frame);
        break;
      case 'notice':
        this.#notice(frame);
        break;
      case 'typing':
        world.startTyping(frame.channel);
        break;
      case 'presence':
        world.setOnline(frame.bot === 'online');
        break;
      case 'violation':
        this.#violations.add(frame.text, world.now());
        break;
      case 'failed':
        // Requests handle their own failures; a failure without a number is about the connection.
        if (frame.n === undefined || frame.n === null)
          this.#toasts.show({ title: 'The sandbox refused', text: frame.reason });
        break;
      default:
        break; // pending, answered and choices went to the request's handlers
    }
  }

  /** Handle a new state: another user, a reconnection, other members, channels or commands. */
  #enter(frame) {
    const wanted = personOf(location.hash, frame.users);
    if (wanted && wanted.id !== frame.me) {
      this.#hello(wanted.id);
      return;
    }
    this.#world.load(frame, this.#afresh);
    this.#afresh = false;
    if (this.#settled) return;
    // A reloaded page is a restarted client: ephemeral messages disappear.
    this.#settled = true;
    this.#socket.send({ op: 'reload' });
    if (matchMedia('(pointer: fine)').matches && document.activeElement === document.body)
      this.#channel.composer.focus();
  }

  #become(user) {
    if (user.id !== this.#world.me?.id) this.#hello(user.id);
  }

  // ------------------------------------------------------------ what has changed

  #changed(change) {
    switch (change.what) {
      case 'state':
        this.#showState(change.switched);
        break;
      case 'message':
        this.#showMessage(change);
        break;
      case 'gone':
      case 'look':
      case 'echo':
        this.#draw(change.channel);
        break;
      case 'people':
      case 'unread':
        this.#showHead();
        break;
      case 'typing':
        this.#paneOf(change.channel)?.showTyping();
        break;
      default:
        break;
    }
  }

  #showState(switched) {
    const world = this.#world;
    if (switched) {
      closeMenu();
      this.#actions.closeModal();
      this.#toasts.clear();
      history.replaceState(history.state, '', hashOf(world.me, world.users.values()));
    }
    const wanted = [this.#channel.channel, recall('sessionStorage', 'channel'), world.channels[0]?.id];
    const channel = wanted.find((id) => id && world.channel(id)) ?? null;
    this.#channel.show(channel, switched);
    this.#direct.show(world.dm, switched);
    this.#travel.visit({ channel, tab: find('main').dataset.tab });
    if (!switched) for (const pane of [this.#channel, this.#direct]) pane.list.redraw();
    this.#showHead();
    if (switched) find('people').querySelector('.me')?.scrollIntoView({ block: 'nearest', inline: 'center' });
    this.#lookSoon();
  }

  #showMessage({ channel, message, fresh }) {
    const mine = message.author.id === this.#world.me?.id;
    const pane = this.#paneOf(channel);
    const news = fresh && !mine;
    if (pane) {
      pane.list.update(news ? message.id : null);
      pane.showTyping();
      this.#actions.channelDrawn(pane.list.element, channel);
      if (news && pane.visible) this.#speaker.say(this.#spoken(message));
    } else if (news) {
      this.#world.freshen(channel);
      // The message that a thread was started from shows the thread's number of messages.
      if (this.#world.channel(channel)?.parent === this.#channel.channel) this.#channel.list.update();
    }
    if (fresh && mine) pane?.list.toBottom();
    if (news) this.#lookSoon();
  }

  #draw(channel) {
    const pane = this.#paneOf(channel);
    if (!pane) return;
    pane.list.update();
    this.#actions.channelDrawn(pane.list.element, channel);
  }

  /** Return the announcement of a new message for screen readers. */
  #spoken(message) {
    const texts = [message.content, ...(message.embeds ?? []).map((embed) => embed.title ?? embed.description)];
    for (const component of walk(message.components)) if (component.type === 10) texts.push(component.content);
    const words = plainText(texts.filter(Boolean).join('\n'), this.#world);
    return `${nameOf(message.author)}: ${words.slice(0, SPOKEN_LETTERS) || 'a message without text'}`;
  }

  // ------------------------------------------------------------ notices

  #notice({ channel, message, kind }) {
    const world = this.#world;
    const pane = this.#paneOf(channel);
    world.call(channel);
    this.#bell.ring();
    if (!pane?.seen) {
      const said = world.message(channel, message);
      const title =
        kind === 'dm'
          ? `${world.botName()} wrote to you`
          : `You were called in #${world.channel(channel)?.name ?? '?'}`;
      const text = said ? this.#spoken(said).replace(/^[^:]*: /u, '') : '';
      this.#toasts.show({ title, text: text.slice(0, 120), place: channel, act: () => this.#go(channel, message) });
    }
    this.#lookSoon();
  }

  /** Mark what has been visible for a moment as read. */
  #lookSoon() {
    clearTimeout(this.#lookTimer);
    this.#lookTimer = setTimeout(() => this.#look(), LOOKED_AFTER_MS);
  }

  #look() {
    if (this.#channel.seen) this.#world.read(this.#channel.channel);
    if (this.#direct.seen) this.#readDirect();
  }

  #readDirect() {
    if (this.#world.dm && this.#world.read(this.#world.dm)) this.#socket.send({ op: 'clear_notices' });
  }

  // ------------------------------------------------------------ the frame around the channels

  #showHead() {
    this.#frame.draw(this.#channel.channel);
  }

  #showSound() {
    const button = find('sound');
    const on = this.#bell.on;
    button.replaceChildren(icon(on ? 'bell' : 'silent'));
    button.setAttribute('aria-pressed', String(on));
    button.title = on ? 'Sound on' : 'Sound off';
  }

  // ------------------------------------------------------------ navigation

  /** Show the channel or the direct messages, on a phone. */
  #showTab(tab) {
    find('main').dataset.tab = tab;
    for (const each of ['channel', 'direct']) find(`tab-${each}`).setAttribute('aria-selected', String(each === tab));
    for (const pane of [this.#channel, this.#direct]) if (pane.channel) pane.list.update();
    if (tab === 'direct') {
      this.#toasts.clear(this.#world.dm);
      this.#readDirect();
    }
    this.#lookSoon();
  }

  #open(channel) {
    find('channel-sheet').close();
    keep('sessionStorage', 'channel', channel);
    this.#toasts.clear(channel);
    this.#channel.show(channel);
    this.#world.read(channel);
    this.#showTab('channel');
    this.#showHead();
    this.#travel.visit({ channel, tab: 'channel' });
  }

  /** Go to a place of the browser's history. */
  #return({ channel, tab }) {
    if (this.#world.channel(channel)) this.#open(channel);
    this.#showTab(tab);
  }

  /** Follow a link to a channel or message and return true if it is on this page. */
  #go(channel, message) {
    if (channel === this.#world.dm) this.#showTab('direct');
    else if (this.#world.channel(channel)) this.#open(channel);
    else {
      this.#toasts.show({ title: 'Not here', text: `${nameOf(this.#world.me)} cannot see that place.` });
      return;
    }
    const pane = this.#paneOf(channel);
    if (message && !pane.list.reveal(message))
      this.#toasts.show({ title: 'Not here', text: 'That message is no longer there.' });
  }

  #step(by) {
    const channels = this.#world.listed(this.#channel.channel);
    const at = channels.findIndex((channel) => channel.id === this.#channel.channel);
    const next = channels[(at + by + channels.length) % channels.length];
    if (next) this.#open(next.id);
  }

  // ------------------------------------------------------------ clicks and keys

  #bind() {
    for (const pane of [this.#channel, this.#direct]) {
      pane.element.addEventListener('click', (event) => this.#click(event, pane));
      pane.head.addEventListener('change', (event) => {
        if (event.target.closest('[data-locale]')) this.#actions.setLocale(this.#world.me.id, event.target.value);
      });
      pane.list.element.addEventListener('keydown', (event) => {
        const spoiler = (event.key === 'Enter' || event.key === ' ') && event.target.closest('span.spoiler');
        if (!spoiler) return;
        event.preventDefault();
        spoiler.classList.toggle('uncovered');
      });
    }
    for (const kind of ['pointerdown', 'keydown', 'focusin'])
      this.#direct.element.addEventListener(kind, () => this.#readDirect());
    find('people').addEventListener('click', (event) => this.#choosePerson(event));
    for (const id of ['channels', 'sheet-channels']) {
      find(id).addEventListener('click', (event) => {
        const button = event.target.closest('[data-channel-id]');
        if (button) this.#open(button.dataset.channelId);
      });
    }
    find('tab-channel').addEventListener('click', () => {
      if (find('main').dataset.tab === 'channel') this.#openSheet();
      else this.#open(this.#channel.channel);
    });
    find('tab-direct').addEventListener('click', () => {
      this.#showTab('direct');
      this.#travel.visit({ channel: this.#channel.channel, tab: 'direct' });
    });
    find('channel-sheet').addEventListener('click', (event) => {
      if (event.target === find('channel-sheet')) find('channel-sheet').close();
    });
    find('sheet-close').append(icon('close'));
    find('sheet-close').addEventListener('click', () => find('channel-sheet').close());
    find('sound').addEventListener('click', () => {
      this.#bell.toggle();
      this.#showSound();
    });
    window.addEventListener('hashchange', () => {
      const user = personOf(location.hash, this.#world.users.values());
      if (user && !user.bot) this.#become(user);
    });
    window.addEventListener('resize', () => this.#lookSoon());
    document.addEventListener('visibilitychange', () => this.#lookSoon());
    document.addEventListener('keydown', (event) => this.#key(event));
    document.addEventListener('keydown', (event) => this.#type(event));
    find('people').addEventListener('keydown', (event) => walkChips(event));
    setInterval(() => this.#second(), 1_000);
  }

  #choosePerson(event) {
    const chip = event.target.closest('[data-person-id]');
    // With a modifier key the browser opens another tab, as for every link.
    if (!chip || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.#choose(this.#world.users.get(chip.dataset.personId));
  }

  #choose(user) {
    if (!user || user.id === this.#world.me?.id) return;
    history.replaceState(history.state, '', hashOf(user, this.#world.users.values()));
    this.#become(user);
  }

  #openSheet() {
    find('sheet-channels').replaceChildren(...channelButtons(this.#world, this.#channel.channel));
    find('channel-sheet').showModal();
  }

  #click(event, pane) {
    const { target } = event;
    const hidden = target.closest('.spoiler:not(.uncovered)');
    if (hidden) {
      hidden.classList.add('uncovered');
      event.preventDefault();
      return;
    }
    const link = target.closest('[data-go-channel]');
    const control = target.closest('[data-custom-id]');
    const picture = target.closest('[data-picture]');
    if (control) this.#actions.press(pane.channel, control);
    else if (link && link.getAttribute('aria-disabled') !== 'true') {
      event.preventDefault();
      this.#go(link.dataset.goChannel, link.dataset.goMessage);
    } else if (picture) this.#enlarge(picture);
    else if (target.closest('span.spoiler')) target.closest('span.spoiler').classList.remove('uncovered');
    else if (target.closest('[data-run]')) pane.composer.begin(target.closest('[data-run]').dataset.run);
    else if (target.closest('[data-dismiss]')) this.#actions.dismiss(target.closest('[data-dismiss]').dataset.dismiss);
    else if (target.closest('[data-drop-echo]'))
      this.#world.dropEcho(pane.channel, target.closest('[data-drop-echo]').dataset.dropEcho);
    else if (target.closest('[data-dms]')) this.#actions.setDms(this.#world.me.id, this.#world.me.dms_open === false);
    else if (target.closest('[data-open-channels]')) this.#openSheet();
  }

  #enlarge(button) {
    const images = [
      ...button.closest('article').querySelectorAll('[data-picture]:not(.spoiler), [data-picture].uncovered'),
    ].map((each) => each.querySelector('img'));
    this.#lightbox.show(button.querySelector('img'), images);
  }

  #key(event) {
    if (!event.altKey || event.ctrlKey || event.metaKey) return;
    const digit = /^Digit([1-9])$/u.exec(event.code);
    if (digit) this.#choose([...this.#world.users.values()].filter((user) => !user.bot)[Number(digit[1]) - 1]);
    else if (event.key === 'ArrowUp') this.#step(-1);
    else if (event.key === 'ArrowDown') this.#step(1);
    else return;
    event.preventDefault();
  }

  /** Send typing outside any field to the composer of the active pane. */
  #type(event) {
    const pasting = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'v';
    const letter = event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.defaultPrevented || event.isComposing || !(letter || pasting)) return;
    if (event.target.closest('input,textarea,.menu') || document.querySelector('dialog[open],.menu')) return;
    const panes = [this.#channel, this.#direct].filter((pane) => pane.visible);
    const pane = panes.find((each) => each.element.contains(event.target)) ?? panes[0];
    pane?.composer.focus();
  }

  #second() {
    const now = this.#world.now();
    tick(document.body, now);
    if (dayOf(now) === this.#day) return;
    this.#day = dayOf(now);
    for (const pane of [this.#channel, this.#direct]) pane.list.redraw();
  }
}

new App();
