// The composer below a channel: messages, and slash commands with completion. Imports commands.js, dom.js and
// suggestions.js.

import { catalogue, KIND, narrow, nested, offers, readLine, search, valueOf } from './commands.js';
import { h, icon } from './dom.js';
import { Suggestions } from './suggestions.js';

const ASK_AFTER_MS = 180;
const TYPES = {
  3: 'text',
  4: 'whole number',
  5: 'true or false',
  6: 'user',
  7: 'channel',
  8: 'role',
  9: 'user or role',
  10: 'number',
  11: 'file',
};

/**
 * `place` describes its channel: `id` of the input, `direct` (direct messages, not a server), `channel()` the
 * channel's id, `label()` the placeholder. `actions` has `say`, `run` and `complete`.
 */
export class Composer {
  #world;
  #place;
  #actions;
  #entries = [];
  #entry = null;
  #fields = [];
  #timer = 0;
  #asked = 0;
  #form;
  #bar;
  #pill;
  #input;
  #list;
  #error;
  #send;

  constructor(parent, world, place, actions) {
    this.#world = world;
    this.#place = place;
    this.#actions = actions;
    this.#build();
    parent.append(this.#form);
  }

  #build() {
    const { id } = this.#place;
    this.#input = h('input', {
      id,
      class: 'composer-input',
      type: 'text',
      autocomplete: 'off',
      autocapitalize: 'sentences',
      enterkeyhint: 'send',
      role: 'combobox',
      'aria-expanded': 'false',
      'aria-controls': `${id}-list`,
      'aria-autocomplete': 'list',
    });
    this.#list = new Suggestions(id);
    this.#error = h('p', { class: 'composer-error', role: 'alert' });
    this.#pill = h('span', { class: 'command-pill', hidden: true });
    this.#bar = h('div', { class: 'composer-fields' }, this.#pill, this.#input);
    const open = h(
      'button',
      {
        class: 'icon-button slash-button',
        type: 'button',
        tabindex: '-1', // the / key does the same
        title: 'Commands',
        'aria-label': 'Show the commands',
      },
      icon('slash'),
    );
    open.addEventListener('click', () => this.#browse());
    this.#send = h(
      'button',
      { class: 'icon-button send-button', type: 'submit', title: 'Send', 'aria-label': 'Send' },
      icon('send'),
    );
    this.#form = h(
      'form',
      { class: 'composer', 'data-composer': id, novalidate: true },
      this.#list.element,
      this.#error,
      h('div', { class: 'composer-bar' }, open, this.#bar, this.#send),
    );

    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#form.addEventListener('keydown', (event) => this.#key(event));
    this.#form.addEventListener('focusin', (event) => {
      if (event.target === this.#input || event.target.dataset.commandOption) this.#refresh();
    });
    this.#form.addEventListener('focusout', (event) => {
      if (!this.#form.contains(event.relatedTarget)) this.#list.hide();
    });
    this.#bar.addEventListener('click', (event) => {
      if (event.target === this.#bar) this.#input.focus();
    });
    this.#input.addEventListener('input', () => this.#typed());
  }

  /** Update after a change of commands, people or the channel; keep what is being typed. */
  update() {
    this.#entries = catalogue(this.#world.commands, this.#place.direct, this.#world.me?.locale);
    if (this.#entry) {
      const now = this.#entries.find((entry) => entry.id === this.#entry.id && entry.path === this.#entry.path);
      if (now) this.#entry = now;
      else if (this.#entries.length) this.#leave();
    }
    this.#label();
    if (this.#list.open) this.#refresh();
  }

  /** Clear what is being typed, for another user or channel. */
  clear() {
    this.#leave();
    this.#input.value = '';
    this.#complain('');
    this.#list.hide();
  }

  focus() {
    this.#input.focus();
  }

  /** Start a command by its path, as a click on `</path:id>` does. */
  begin(path) {
    const entry = this.#entries.find((each) => each.path === path);
    if (entry) {
      this.#enter(entry);
      return;
    }
    this.#input.value = `/${path}`;
    this.#input.focus();
    this.#typed();
  }

  #label() {
    const text = this.#entry ? '' : this.#place.label();
    this.#input.placeholder = text;
    this.#input.setAttribute('aria-label', this.#entry ? `More options of /${this.#entry.path}` : text);
  }

  #browse() {
    if (!this.#entry && !this.#input.value.startsWith('/')) this.#input.value = `/${this.#input.value}`;
    this.#input.focus();
    this.#typed();
  }

  // ------------------------------------------------------------ typing

  #typed() {
    this.#complain('');
    if (!this.#entry && this.#input.value.startsWith('/')) {
      const line = readLine(this.#entries, this.#input.value);
      if (line) {
        this.#enter(line.entry, line.values, line.left);
        return;
      }
    }
    if (this.#entry) {
      const written = /^\s*([-\w\p{L}]+):(.*)$/u.exec(this.#input.value);
      const option = written && this.#missing().find((each) => each.name === written[1]);
      if (option) {
        this.#input.value = '';
        this.#add(option, written[2].trim()).input.focus();
        return;
      }
    }
    this.#refresh();
  }

  #enter(entry, values = new Map(), left = '') {
    this.#leave();
    this.#entry = entry;
    this.#input.value = left;
    this.#pill.replaceChildren(
      `/${entry.path}`,
      h(
        'button',
        {
          class: 'pill-close',
          type: 'button',
          tabindex: '-1',
          'aria-label': `Leave /${entry.path}`,
          onclick: () => this.#cancel(),
        },
        icon('close'),
      ),
    );
    this.#pill.hidden = false;
    this.#form.classList.add('commanding');
    for (const option of entry.options)
      if (option.required || values.has(option.name)) this.#add(option, values.get(option.name) ?? '');
    this.#label();
    this.#forward();
  }

  #leave() {
    this.#entry = null;
    for (const field of this.#fields) field.box.remove();
    this.#fields = [];
    this.#pill.hidden = true;
    this.#pill.replaceChildren();
    this.#form.classList.remove('commanding');
    clearTimeout(this.#timer);
    this.#label();
  }

  #cancel() {
    this.clear();
    this.#input.focus();
  }

  #missing() {
    return this.#entry.options.filter(
      (option) => !this.#fields.some((field) => field.option === option || field.option.name === option.name),
    );
  }

  #add(option, text = '') {
    const id = `${this.#place.id}-${option.name}`;
    const number = option.type === KIND.integer || option.type === KIND.number;
    const input = h('input', {
      id,
      class: 'option-input',
      type: 'text',
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      enterkeyhint: 'next',
      inputmode:
        number && !option.choices?.length && !option.autocomplete ? (option.min_value >= 0 ? 'numeric' : 'text') : null,
      role: 'combobox',
      'aria-expanded': 'false',
      'aria-controls': `${this.#place.id}-list`,
      'aria-required': option.required ? 'true' : 'false',
      'aria-description': option.description,
      'data-command-option': option.name,
    });
    input.value = text;
    const remove =
      !option.required &&
      h(
        'button',
        {
          class: 'pill-close',
          type: 'button',
          tabindex: '-1',
          'aria-label': `Leave out ${option.name}`,
          onclick: () => this.#drop(field, true),
        },
        icon('close'),
      );
    const box = h('span', { class: 'option-field' }, h('label', { for: id }, option.name), input, remove);
    const field = { option, input, box, chosen: undefined, offers: null, asked: '' };
    input.addEventListener('input', () => {
      field.chosen = undefined;
      field.offers = null;
      box.classList.remove('wrong');
      this.#complain('');
      this.#fit(field);
      this.#refresh();
    });
    input.addEventListener('blur', () => this.#settle(field));
    this.#fit(field);
    this.#fields.push(field);
    this.#bar.insertBefore(box, this.#input);
    return field;
  }

  #fit(field) {
    field.input.size = Math.max(6, Math.min(28, field.input.value.length + 1));
  }

  #drop(field, focus) {
    field.box.remove();
    this.#fields = this.#fields.filter((each) => each !== field);
    if (focus) this.#input.focus();
    this.#refresh();
  }

  /** Show that a value is invalid at once, not only on sending. */
  #settle(field) {
    if (!field.input.value.trim() || !this.#entry) return;
    const { error } = this.#value(field);
    field.box.classList.toggle('wrong', Boolean(error));
    if (error) this.#complain(error);
  }

  #value(field) {
    if (field.chosen !== undefined) return { value: field.chosen };
    const found = field.offers?.find((offer) => offer.name.toLowerCase() === field.input.value.trim().toLowerCase());
    return found ? { value: found.value } : valueOf(field.option, field.input.value, this.#world);
  }

  /** Move to the next required field, or to the end of the input. */
  #forward() {
    const next = this.#fields.find((field) => field.option.required && !field.input.value.trim());
    (next?.input ?? this.#input).focus();
    this.#refresh();
  }

  // ------------------------------------------------------------ suggestions

  #refresh() {
    const focused = document.activeElement;
    const field = this.#fields.find((each) => each.input === focused);
    if (field) this.#showValues(field);
    else if (focused !== this.#input) this.#list.hide();
    else if (this.#entry) this.#showOptions();
    else if (this.#input.value.startsWith('/')) this.#showCommands();
    else this.#list.hide();
  }

  #showCommands() {
    const found = search(this.#entries, this.#input.value);
    const rows = found.map((entry) => ({
      label: `/${entry.path}`,
      tags: entry.options.map((option) => (option.required ? option.name : `${option.name}?`)),
      detail: entry.description,
      attributes: { 'data-command': entry.path },
      pick: () => this.#enter(entry),
    }));
    const none = this.#world.commands.length ? 'No command fits' : 'The bot has registered no commands here';
    this.#list.show(this.#input, 'commands', [h('strong', null, rows.length ? 'Commands' : none)], rows, 0);
  }

  #showOptions() {
    const sought = this.#input.value.trim().toLowerCase();
    const rows = this.#missing()
      .filter((option) => option.name.includes(sought))
      .map((option) => ({
        label: option.name,
        detail: option.description,
        tags: option.required ? ['required'] : [],
        attributes: { 'data-add-option': option.name },
        pick: () => {
          this.#input.value = '';
          this.#add(option).input.focus();
        },
      }));
    const ready = !this.#fields.some((field) => field.option.required && !field.input.value.trim());
    const head = [h('strong', null, `/${this.#entry.path}`), ' ', this.#entry.description];
    if (ready) head.push(h('span', { class: 'popup-note' }, 'Enter sends it'));
    this.#list.show(this.#input, 'options', head, rows, sought ? 0 : -1);
  }

  #showValues(field) {
    const { option, input } = field;
    const typed = field.chosen === undefined ? input.value : '';
    const fixed = offers(option, this.#world);
    if (!fixed && option.autocomplete && field.offers === null) this.#ask(field);
    const list = fixed ? narrow(fixed, typed) : (field.offers ?? []);
    const rows = list.map((offer) => ({
      label: String(offer.name),
      user: offer.user,
      chosen: field.chosen === offer.value,
      attributes: { 'data-choice': String(offer.value) },
      pick: () => this.#choose(field, offer),
    }));
    const head = [
      h('strong', null, option.name),
      ' ',
      option.description,
      !fixed && h('span', { class: 'popup-note' }, this.#bounds(option)),
    ].filter(Boolean);
    if (option.autocomplete && field.offers === null) head.push(h('span', { class: 'popup-note' }, 'asking the bot…'));
    else if (option.autocomplete && !rows.length) head.push(h('span', { class: 'popup-note' }, 'nothing to suggest'));
    else if (fixed && !rows.length) head.push(h('span', { class: 'popup-note' }, 'nothing fits'));
    const chosen = rows.findIndex((row) => row.chosen);
    const start = chosen >= 0 ? chosen : rows.length ? 0 : -1;
    this.#list.show(input, `values:${option.name}`, head, rows, start);
  }

  #bounds(option) {
    const least = option.min_value ?? option.min_length;
    const most = option.max_value ?? option.max_length;
    const unit = option.type === KIND.string ? ' characters' : '';
    const kind = TYPES[option.type] ?? '';
    if (least !== undefined && most !== undefined) return `${kind}, ${least} to ${most}${unit}`;
    if (least !== undefined) return `${kind}, from ${least}${unit}`;
    return most === undefined ? kind : `${kind}, up to ${most}${unit}`;
  }

  /** Ask the bot for completions once the typing pauses. */
  #ask(field) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const entry = this.#entry;
      if (!entry || !this.#fields.includes(field)) return;
      const text = field.input.value;
      const options = nested(entry, this.#values(field), { name: field.option.name, text });
      this.#asked += 1;
      const question = this.#asked;
      const take = (list) => {
        if (question !== this.#asked || field.input.value !== text) return;
        field.offers = list;
        if (document.activeElement === field.input) this.#showValues(field);
      };
      this.#actions.complete(this.#place.channel(), entry, options, {
        choices: ({ choices }) => take(choices),
        failed: ({ reason }) => {
          take([]);
          if (question === this.#asked) this.#complain(`${field.option.name}: no suggestions (${reason})`);
        },
      });
    }, ASK_AFTER_MS);
  }

  /** Return the valid values of all fields but one. */
  #values(without = null) {
    const values = new Map();
    for (const field of this.#fields) {
      if (field === without || !field.input.value.trim()) continue;
      const { value } = this.#value(field);
      if (value !== undefined) values.set(field.option.name, value);
    }
    return values;
  }

  #choose(field, offer) {
    field.input.value = offer.name;
    field.chosen = offer.value;
    field.box.classList.remove('wrong');
    this.#complain('');
    this.#fit(field);
    // Completions of other options may depend on this value.
    for (const each of this.#fields) if (each !== field) each.offers = null;
    this.#forward();
  }

  // ------------------------------------------------------------ keys

  #key(event) {
    if (event.isComposing) return;
    const field = this.#fields.find((each) => each.input === event.target);
    if (!field && event.target !== this.#input) return;
    const handled = this.#arrow(event) || this.#confirm(event, field) || this.#back(event, field);
    if (handled) event.preventDefault();
  }

  #arrow(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    return step !== undefined && this.#list.step(step);
  }

  #confirm(event, field) {
    const tab = event.key === 'Tab' && !event.shiftKey;
    if (event.key !== 'Enter' && !tab) return false;
    const row = this.#list.active;
    // Tab moves on from a finished field; Enter takes the highlighted row, or sends.
    if (row && !(field?.chosen !== undefined && (tab || row.chosen))) {
      row.pick();
      return true;
    }
    if (tab) return false;
    if (field) this.#settle(field);
    if (field && !field.input.value.trim()) this.#complain(this.#blank(field));
    else if (this.#fields.some((each) => each.option.required && !each.input.value.trim())) this.#forward();
    else this.#submit();
    return true;
  }

  /** Return why a field without a value prevents sending the command. */
  #blank({ option, offers: found }) {
    if (option.autocomplete && found === null) return `${option.name}: the bot is being asked what to suggest`;
    if (option.required) return `${option.name} is required`;
    return `Give ${option.name} a value, or leave it out with Backspace`;
  }

  #back(event, field) {
    if (event.key === 'Escape') {
      if (this.#list.open) this.#list.hide();
      else if (this.#entry) this.#cancel();
      else return false;
      return true;
    }
    if (event.key !== 'Backspace' || event.target.value !== '' || !this.#entry) return false;
    const at = field ? this.#fields.indexOf(field) : this.#fields.length;
    const before = this.#fields[at - 1];
    if (field && !field.option.required) this.#drop(field, false);
    if (before) before.input.focus();
    else if (!field || field.option.required) this.#undo();
    return true;
  }

  /** Turn a command back into the text of its name. */
  #undo() {
    const { path } = this.#entry;
    this.#leave();
    this.#input.value = `/${path}`;
    this.#input.focus();
    this.#refresh();
  }

  // ------------------------------------------------------------ sending

  #submit() {
    if (this.#entry) this.#run();
    else this.#say();
  }

  #say() {
    const text = this.#input.value.trim();
    if (!text) return;
    if (text.startsWith('/')) {
      const [first] = search(this.#entries, text);
      if (first) this.#enter(first);
      else this.#complain(`There is no command ${text.split(' ')[0]} here`);
      return;
    }
    if (this.#actions.say(this.#place.channel(), text, (reason) => this.#complain(reason))) this.#input.value = '';
    this.#refresh();
  }

  #run() {
    if (this.#input.value.trim()) {
      this.#complain(`/${this.#entry.path} has no option for “${this.#input.value.trim()}”`);
      return;
    }
    const wrong = this.#fields.find((field) =>
      field.input.value.trim() ? this.#value(field).error : field.option.required,
    );
    if (wrong) {
      wrong.box.classList.add('wrong');
      this.#complain(wrong.input.value.trim() ? this.#value(wrong).error : `${wrong.option.name} is required`);
      wrong.input.focus();
      return;
    }
    const entry = this.#entry;
    const written = this.#fields
      .filter((field) => field.input.value.trim())
      .map((field) => ` ${field.option.name}: ${field.input.value.trim()}`);
    const options = nested(entry, this.#values());
    if (!this.#actions.run(this.#place.channel(), entry, options, `/${entry.path}${written.join('')}`)) {
      this.#complain('Not connected to the sandbox; try again in a moment');
      return;
    }
    this.clear();
    this.#input.focus();
    this.#list.hide();
  }

  #complain(text) {
    this.#error.textContent = text;
    this.#form.classList.toggle('complaining', Boolean(text));
  }
}
