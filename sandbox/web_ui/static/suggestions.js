// The list above a composer: commands, options or values, one of them highlighted. Imports dom.js.

import { avatar, h, icon } from './dom.js';

/**
 * `id` is that of the composer's input. A row is `{label, detail, tags, user, chosen, attributes, pick}`; `pick()` is
 * called when it is pressed or taken.
 */
export class Suggestions {
  #id;
  #head = h('div', { class: 'popup-head' });
  #list;
  #rows = [];
  #active = -1;
  #kind = null;
  #input = null;

  constructor(id) {
    this.#id = id;
    this.#list = h('div', { class: 'popup-list', role: 'listbox', id: `${id}-list`, 'aria-label': 'Suggestions' });
    this.element = h('div', { class: 'popup', hidden: true, 'data-popup': id }, this.#head, this.#list);
    // A press on the list must not take the focus from the field that it completes.
    this.element.addEventListener('mousedown', (event) => event.preventDefault());
    this.#list.addEventListener('click', (event) => this.#rowOf(event)?.pick());
    this.#list.addEventListener('pointermove', (event) => {
      const at = this.#rows.indexOf(this.#rowOf(event));
      if (at >= 0 && at !== this.#active) this.#highlight(at, false);
    });
  }

  get open() {
    return !this.element.hidden;
  }

  /** The highlighted row, if there is one. */
  get active() {
    return this.#rows[this.#active];
  }

  #rowOf(event) {
    const row = event.target.closest('[role=option]');
    return row && this.#rows[Number(row.dataset.at)];
  }

  /**
   * Show rows for an input. `kind` names what they are: while it is unchanged, so is the highlighted position;
   * otherwise `active` is highlighted (-1 for none).
   */
  show(input, kind, head, rows, active) {
    const keep = this.#kind === kind && this.#active >= 0 && rows.length === this.#rows.length;
    this.#expand(false);
    this.#input = input;
    this.#rows = rows;
    this.#kind = kind;
    this.#head.replaceChildren(...head);
    this.#list.replaceChildren(...rows.map((row, at) => this.#view(row, at)));
    this.#list.hidden = rows.length === 0;
    this.element.hidden = false;
    this.#expand(true);
    this.#highlight(keep ? this.#active : active);
  }

  hide() {
    this.#expand(false);
    this.element.hidden = true;
    this.#input = null;
    this.#rows = [];
    this.#active = -1;
    this.#kind = null;
  }

  /** Highlight the next row, or with -1 the previous one, and return true if there is any. */
  step(by) {
    const size = this.#rows.length;
    if (!size) return false;
    const first = by > 0 ? 0 : size - 1;
    this.#highlight(this.#active < 0 ? first : (this.#active + by + size) % size);
    return true;
  }

  #expand(open) {
    this.#input?.setAttribute('aria-expanded', String(open));
    if (!open) this.#input?.removeAttribute('aria-activedescendant');
  }

  #highlight(at, scroll = true) {
    this.#active = at;
    this.#list.querySelector('.active')?.classList.remove('active');
    const row = this.#list.querySelector(`[data-at="${at}"]`);
    row?.classList.add('active');
    if (scroll) row?.scrollIntoView({ block: 'nearest' });
    if (row) this.#input?.setAttribute('aria-activedescendant', row.id);
    else this.#input?.removeAttribute('aria-activedescendant');
  }

  #view(row, at) {
    const attributes = {
      class: 'option',
      role: 'option',
      id: `${this.#id}-row-${at}`,
      'data-at': at,
      'aria-selected': row.chosen ? 'true' : 'false',
      ...row.attributes,
    };
    const tags = row.tags?.map((tag) => h('span', { class: 'option-tag' }, tag));
    return h(
      'div',
      attributes,
      row.user && avatar(row.user, 'small'),
      optionWords(row.label, row.detail),
      tags?.length > 0 && h('span', { class: 'option-tags' }, tags),
      row.chosen && h('span', { class: 'tick' }, icon('check')),
    );
  }
}

/** Create the content of a row: a label, and a quieter line below it. */
export function optionWords(label, description) {
  return h(
    'span',
    { class: 'option-words' },
    h('span', { class: 'option-label' }, label),
    description && h('span', { class: 'option-description' }, description),
  );
}
