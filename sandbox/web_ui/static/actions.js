// Sending a person's actions to the sandbox: presses, selections, commands and forms. Imports components.js, modal.js
// and select.js.

import { defaultsOf, findComponent, isSelect, offersOf } from './components.js';
import { Modal } from './modal.js';
import { refreshMenu, showMenu } from './select.js';

export class Actions {
  #world;
  #socket;
  #modal = null;
  #settled;

  /** `settled(channel)` is called after this person has written something there. */
  constructor(world, socket, settled) {
    this.#world = world;
    this.#socket = socket;
    this.#settled = settled;
  }

  /** Use a component of a message: press a button, or open a select's menu. */
  press(channel, control) {
    if (control.getAttribute('aria-disabled') === 'true') return;
    if (control.dataset.select === undefined) {
      this.#send(channel, control.closest('[data-message-id]').dataset.messageId, control.dataset.customId);
      return;
    }
    const menu = this.#menu(channel, control);
    if (menu) showMenu(control, menu);
  }

  /** Update a menu that is open under `root` after its channel was redrawn. */
  channelDrawn(root, channel) {
    refreshMenu(root, (control) => this.#menu(channel, control));
  }

  #menu(channel, control) {
    const id = control.closest('[data-message-id]').dataset.messageId;
    const message = this.#world.message(channel, id);
    const component = message && findComponent(message, control.dataset.customId);
    if (!component || !isSelect(component) || component.disabled) return null;
    return {
      title: component.placeholder || 'Make a selection',
      offers: offersOf(component, this.#world),
      chosen: this.#world.picked(id, component.custom_id) ?? defaultsOf(component),
      least: component.min_values ?? 1,
      most: component.max_values ?? 1,
      // Read the id only now: an edit may have changed the menu's id.
      commit: (values) => {
        const customId = control.dataset.customId;
        this.#world.pick(channel, id, customId, values);
        this.#send(channel, id, customId, values);
      },
    };
  }

  #send(channel, message, customId, values) {
    const world = this.#world;
    world.setBusy(channel, message, customId, true);
    const done = () => world.setBusy(channel, message, customId, false);
    this.#socket.ask(
      { op: 'press', message, custom_id: customId, ...(values && { values }) },
      {
        answered: done,
        failed: ({ reason }) => {
          done();
          world.fail(channel, message, reason);
        },
      },
    );
  }

  /** Post a message and return true if it was sent; `refused(reason)` is called if it was refused. */
  say(channel, content, refused) {
    if (!this.#socket.open) {
      refused('Not connected to the sandbox; try again in a moment');
      return false;
    }
    this.#socket.ask({ op: 'say', channel, content }, { failed: ({ reason }) => refused(reason) });
    this.#settled(channel);
    return true;
  }

  /** Run a command and return true if it was sent; `written` is its text. */
  run(channel, entry, options, written) {
    if (!this.#socket.open) return false;
    const echo = this.#world.addEcho(channel, written);
    this.#socket.ask(
      { op: 'command', channel, id: entry.id, options },
      {
        answered: () => this.#world.dropEcho(channel, echo.key),
        failed: ({ reason }) => this.#world.failEcho(channel, echo.key, reason),
      },
    );
    this.#settled(channel);
    return true;
  }

  complete(channel, entry, options, handlers) {
    this.#socket.ask({ op: 'autocomplete', channel, id: entry.id, options }, handlers);
  }

  /** Report that this person jumped from older messages to the present. */
  present(channel) {
    this.#socket.send({ op: 'present', channel });
  }

  dismiss(message) {
    this.#socket.send({ op: 'dismiss', message });
  }

  setDms(user, open) {
    this.#socket.send({ op: 'dms', user, open });
    this.#world.setDms(user, open);
  }

  setLocale(user, locale) {
    this.#socket.send({ op: 'locale', user, locale });
    this.#world.setLocale(user, locale);
  }

  /** Open the form that the bot responded with. */
  openModal(parent, frame) {
    this.closeModal();
    this.#modal = new Modal(parent, this.#world, frame.modal, (components, handlers) => {
      this.#socket.ask({ op: 'submit', modal: frame.interaction, components }, handlers);
    });
  }

  closeModal() {
    this.#modal?.close();
    this.#modal = null;
  }
}
