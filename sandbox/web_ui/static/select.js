// The open menu of a select: a list box beside its button, or at the bottom of the screen on a phone. Messages and
// modals use it. Imports dom.js, markdown.js and suggestions.js.

import { avatar, h, icon } from './dom.js';
import { emojiNode } from './markdown.js';
import { optionWords } from './suggestions.js';

const SEARCHED_FROM = 9;
const PHONE = '(max-width: 720px)';

let openMenu = null;

/** Close the menu that is open, if any, without choosing. */
export function closeMenu() {
  openMenu?.close(false);
}

/**
 * Update the open menu after what is under `root` was redrawn. `read(anchor)` returns its new arguments for
 * `showMenu`, or null if the select was removed; a menu of the same name continues with its new options.
 */
export function refreshMenu(root, read) {
  if (!openMenu) return;
  if (!openMenu.anchor.isConnected) openMenu.close(false);
  else if (root.contains(openMenu.anchor)) openMenu.renew(read(openMenu.anchor));
}

/**
 * Open a menu at `anchor`, a button.
 *
 * `offers` are `{value, label, description, emoji, user}`; `chosen` are the current values; `least` and `most` limit
 * their number. `commit(values)` is called once, after the choice; a menu for one value commits on a press, one for
 * several on "Done" or a press outside.
 */
export function showMenu(anchor, { title, offers, chosen, least, most, commit }) {
  const again = openMenu?.anchor === anchor;
  closeMenu();
  if (again) return;
  openMenu = new Menu(anchor, { title, offers, chosen, least, most, commit });
}

const plain = ({ value, label, description }) => [value, label, description];

class Menu {
  #offers;
  #values;
  #before;
  #least;
  #most;
  #commit;
  #title;
  #shown = [];
  #active = 0;
  #panel;
  #list;
  #search;
  #count;
  #done;

  constructor(anchor, { title, offers, chosen, least, most, commit }) {
    this.anchor = anchor;
    this.#offers = offers;
    this.#values = new Set(chosen);
    this.#before = [...chosen].join('\n');
    this.#least = least;
    this.#most = most;
    this.#commit = commit;
    this.#title = title;
    this.#build(title);
    (anchor.closest('dialog') ?? document.body).append(this.#panel);
    this.#panel.showPopover();
    anchor.setAttribute('aria-expanded', 'true');
    this.#fill();
    const at = this.#shown.findIndex((offer) => this.#values.has(offer.value));
    this.#move(Math.max(at, 0));
    this.#place();
    const fine = matchMedia('(pointer: fine)').matches;
    (this.#search && fine ? this.#search : this.#list).focus({ preventScroll: true });
    document.addEventListener('pointerdown', this.#outside, true);
    window.addEventListener('resize', this.#place);
    document.addEventListener('scroll', this.#follow, true);
  }

  renew(now) {
    if (!now || now.title !== this.#title || now.most > 1 !== this.#many) {
      this.close(false);
      return;
    }
    this.anchor.setAttribute('aria-expanded', 'true');
    if (JSON.stringify(now.offers.map(plain)) === JSON.stringify(this.#offers.map(plain))) return;
    this.#offers = now.offers;
    this.#least = now.least;
    this.#values = new Set([...this.#values].filter((value) => now.offers.some((offer) => offer.value === value)));
    this.#fill();
    this.#move(this.#active);
  }

  get #many() {
    return this.#most > 1;
  }

  #build(title) {
    this.#list = h('div', {
      class: 'menu-list',
      role: 'listbox',
      tabindex: '0',
      id: 'menu-list',
      'aria-label': title,
      'aria-multiselectable': this.#many ? 'true' : null,
    });
    if (this.#offers.length >= SEARCHED_FROM) {
      this.#search = h('input', {
        class: 'menu-search',
        type: 'text',
        placeholder: 'Search',
        'aria-label': `Search in ${title}`,
        autocomplete: 'off',
        'aria-controls': 'menu-list',
      });
      this.#search.addEventListener('input', () => {
        this.#fill();
        this.#move(0);
      });
    }
    const close = h(
      'button',
      { class: 'icon-button', type: 'button', 'aria-label': 'Close the menu', onclick: () => this.close(false) },
      icon('close'),
    );
    this.#count = h('span', { class: 'menu-count' });
    this.#done = h(
      'button',
      { class: 'button primary', type: 'button', 'data-menu-done': true, onclick: () => this.close(true) },
      'Done',
    );
    this.#panel = h(
      'div',
      { class: 'menu', popover: 'manual', 'data-menu': true },
      h('div', { class: 'menu-head' }, h('span', { class: 'menu-title' }, title), close),
      this.#search,
      this.#list,
      this.#many && h('div', { class: 'menu-foot' }, this.#count, this.#done),
    );
    this.#panel.addEventListener('keydown', (event) => this.#key(event));
    this.#list.addEventListener('click', (event) => {
      const row = event.target.closest('[role=option]');
      if (row) this.#press(Number(row.dataset.at));
    });
  }

  #fill() {
    const sought = (this.#search?.value ?? '').trim().toLowerCase();
    this.#shown = this.#offers.filter((offer) =>
      `${offer.label} ${offer.description ?? ''}`.toLowerCase().includes(sought),
    );
    const rows = this.#shown.map((offer, at) => this.#row(offer, at));
    this.#list.replaceChildren(...(rows.length ? rows : [h('p', { class: 'menu-nothing' }, 'Nothing fits')]));
    this.#tally();
  }

  #row(offer, at) {
    const chosen = this.#values.has(offer.value);
    return h(
      'div',
      {
        class: 'option',
        role: 'option',
        id: `menu-option-${at}`,
        'data-at': at,
        'data-option-value': offer.value,
        'aria-selected': chosen ? 'true' : 'false',
      },
      offer.user && avatar(offer.user, 'small'),
      offer.emoji && emojiNode(offer.emoji),
      optionWords(offer.label, offer.description),
      h('span', { class: this.#many ? 'tick box' : 'tick' }, chosen && icon('check')),
    );
  }

  #tally() {
    const size = this.#values.size;
    const wanted = this.#least === this.#most ? `${this.#least}` : `${this.#least}–${this.#most}`;
    this.#count.textContent = `${size} chosen, ${wanted} wanted`;
    const fits = size >= this.#least && size <= this.#most;
    this.#done.setAttribute('aria-disabled', fits ? 'false' : 'true');
    return fits;
  }

  #move(at) {
    this.#active = Math.max(0, Math.min(at, this.#shown.length - 1));
    for (const row of this.#list.querySelectorAll('.active')) row.classList.remove('active');
    const row = this.#list.querySelector(`[data-at="${this.#active}"]`);
    row?.classList.add('active');
    row?.scrollIntoView({ block: 'nearest' });
    for (const holder of [this.#list, this.#search]) if (row) holder?.setAttribute('aria-activedescendant', row.id);
  }

  #press(at) {
    const offer = this.#shown[at];
    if (!offer) return;
    const chosen = this.#values.has(offer.value);
    if (!this.#many) {
      // If no choice is allowed, pressing the chosen value clears it; otherwise it chooses the value again.
      this.#values = new Set(chosen && this.#least === 0 ? [] : [offer.value]);
      this.#before = null;
      this.close(true);
      return;
    }
    if (chosen) this.#values.delete(offer.value);
    else if (this.#values.size < this.#most) this.#values.add(offer.value);
    this.#fill();
    this.#move(at);
  }

  #key(event) {
    const moves = {
      ArrowDown: this.#active + 1,
      ArrowUp: this.#active - 1,
      PageDown: this.#active + 8,
      PageUp: this.#active - 8,
    };
    if (!this.#search) Object.assign(moves, { Home: 0, End: this.#shown.length });
    if (event.key in moves) this.#move(moves[event.key]);
    else if (event.key === 'Escape') this.close(false);
    else if (event.key === 'Tab' && !this.#many) this.close(false);
    else if (event.key === 'Enter' && !event.target.closest('button')) this.#press(this.#active);
    else if (event.key === ' ' && event.target === this.#list) this.#press(this.#active);
    else if (!this.#search && event.key.length === 1 && !event.ctrlKey && !event.metaKey)
      this.#seek(event.key.toLowerCase());
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Return the next row that starts with a letter. */
  #seek(letter) {
    const order = this.#shown.map((_, step) => (this.#active + 1 + step) % this.#shown.length);
    const found = order.find((at) => this.#shown[at].label.toLowerCase().startsWith(letter));
    if (found !== undefined) this.#move(found);
  }

  #outside = (event) => {
    if (this.#panel.contains(event.target)) return;
    // The button's own handler closes the menu.
    if (!this.anchor.contains(event.target)) this.close(this.#many);
  };

  #follow = (event) => {
    if (!this.#panel.contains(event.target)) this.#place();
  };

  #place = () => {
    if (!this.anchor.isConnected) {
      this.close(false);
      return;
    }
    if (matchMedia(PHONE).matches) {
      this.#panel.style.cssText = '';
      return;
    }
    const box = this.anchor.getBoundingClientRect();
    const width = Math.max(box.width, 260);
    const below = window.innerHeight - box.bottom - 12;
    const above = box.top - 12;
    const upward = below < Math.min(this.#panel.offsetHeight, 300) && above > below;
    this.#panel.style.left = `${Math.max(8, Math.min(box.left, window.innerWidth - width - 8))}px`;
    this.#panel.style.width = `${width}px`;
    this.#panel.style.maxHeight = `${Math.min(420, upward ? above : below)}px`;
    this.#panel.style.top = upward ? 'auto' : `${box.bottom + 4}px`;
    this.#panel.style.bottom = upward ? `${window.innerHeight - box.top + 4}px` : 'auto';
  };

  close(choose) {
    if (choose && !this.#tally()) return;
    document.removeEventListener('pointerdown', this.#outside, true);
    document.removeEventListener('scroll', this.#follow, true);
    window.removeEventListener('resize', this.#place);
    const inside = this.#panel.contains(document.activeElement);
    this.#panel.remove();
    openMenu = null;
    this.anchor.removeAttribute('aria-expanded');
    if (inside && this.anchor.isConnected) this.anchor.focus({ preventScroll: true });
    const values = this.#offers.map((offer) => offer.value).filter((value) => this.#values.has(value));
    if (choose && values.join('\n') !== this.#before) this.#commit(values);
  }
}
