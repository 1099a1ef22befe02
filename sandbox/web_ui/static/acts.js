// What a person does, on its way to the sandbox: pressing, choosing, commands, forms. Imports components.js, modal.js and
// select.js.

import { defaultsOf, findComponent, isSelect, offersOf } from './components.js';
import { Modal } from './modal.js';
import { refreshMenu, showMenu } from './select.js';

export class Acts {
  #world;
  #socket;
  #modal = null;
  #settled;

  /** `settled(channel)` is called when this person has just written something there. */
  constructor(world, socket, settled) {
    this.#world = world;
    this.#socket = socket;
    this.#settled = settled;
  }

  /** Press a component of a message: a button at once, a select by opening its menu. */
  press(channel, control) {
    if (control.getAttribute('aria-disabled') === 'true') return;
    if (control.dataset.select === undefined) {
      this.#send(channel, control.closest('[data-message-id]').dataset.messageId, control.dataset.customId);
      return;
    }
    const menu = this.#menu(channel, control);
    if (menu) showMenu(control, menu);
  }

  /** A channel was drawn anew under `root`: a menu that is open there goes on with what it offers now. */
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
      // The id is read when the choice is made: an edit may have given the same menu another one.
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

  /** Post a message; `refused(reason)` if it may not be. Whether it was sent. */
  say(channel, content, refused) {
    if (!this.#socket.open) {
      refused('Not connected to the sandbox; try again in a moment');
      return false;
    }
    this.#socket.ask({ op: 'say', channel, content }, { failed: ({ reason }) => refused(reason) });
    this.#settled(channel);
    return true;
  }

  /** Run a command; `written` is how it reads. Whether it was sent. */
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

  /** This person has come back from far up in a channel. */
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

  /** Open the form with which the bot answered. */
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
