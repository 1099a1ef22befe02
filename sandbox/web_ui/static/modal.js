// The bot's modals: rendered, checked as in Discord's clients, and sent in the form of a modal submit. Imports
// components.js, dom.js, markdown.js, select.js and suggestions.js.

import { defaultsOf, isSelect, offersOf, selectButton } from './components.js';
import { avatar, h, icon } from './dom.js';
import { markdown } from './markdown.js';
import { closeMenu, showMenu } from './select.js';
import { optionWords } from './suggestions.js';

const LONGEST = 4_000;

export class Modal {
  #world;
  #dialog;
  #fields = [];
  #submit;
  #trouble;

  /** `send(components, handlers)` submits; `handlers` as `Socket.ask` takes them. */
  constructor(parent, world, modal, send) {
    this.#world = world;
    this.#submit = h(
      'button',
      { class: 'button primary', type: 'submit', 'data-modal-submit': true },
      h('span', { class: 'button-label' }, 'Submit'),
    );
    this.#trouble = h('p', { class: 'modal-trouble', role: 'alert' });
    const title = h('h2', { id: 'modal-title' }, modal.title);
    const close = h(
      'button',
      { class: 'icon-button', type: 'button', 'aria-label': 'Close the form', onclick: () => this.#dialog.close() },
      icon('close'),
    );
    const body = h(
      'div',
      { class: 'modal-body' },
      modal.components.map((component) => this.#top(component)),
    );
    const cancel = h(
      'button',
      { class: 'button quiet', type: 'button', onclick: () => this.#dialog.close() },
      'Cancel',
    );
    const form = h(
      'form',
      { class: 'modal-form', novalidate: true, 'data-modal-id': modal.custom_id },
      h('div', { class: 'modal-head' }, this.#world.bot && avatar(this.#world.bot, 'small'), title, close),
      body,
      this.#trouble,
      h('div', { class: 'modal-foot' }, cancel, this.#submit),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#send(modal, send);
    });
    this.#dialog = h('dialog', { class: 'modal', 'aria-labelledby': 'modal-title', 'data-modal': true }, form);
    this.#dialog.addEventListener('close', () => {
      closeMenu();
      this.#dialog.remove();
    });
    parent.append(this.#dialog);
    this.#dialog.showModal();
    (body.querySelector('input,textarea,button') ?? this.#submit).focus();
  }

  close() {
    this.#dialog.close();
  }

  // ------------------------------------------------------------ rendering

  #top(component) {
    switch (component.type) {
      case 1: {
        const fields = component.components.map((inner) => this.#field(inner, inner.label, null));
        this.#fields.push({
          part: () => ({ ...shell(component), components: fields.map((field) => field.answer()) }),
          inner: fields,
        });
        return fields.map((field) => field.view);
      }
      case 10:
        this.#fields.push({ part: () => shell(component), inner: [] });
        return h('div', { class: 'text-display markup' }, markdown(component.content, this.#world));
      case 18: {
        const field = this.#field(component.component, component.label, component.description);
        this.#fields.push({ part: () => ({ ...shell(component), component: field.answer() }), inner: [field] });
        return field.view;
      }
      default:
        return h(
          'div',
          { class: 'unsupported' },
          `The sandbox cannot show a component of type ${component.type} in a form`,
        );
    }
  }

  /**
   * Create a field with its label: `view`, `answer()` in the form of a submit, `problem()` in words or null,
   * `control`.
   */
  #field(component, label, description) {
    const id = `field-${component.custom_id}`;
    const made = this.#control(component, id, label);
    const required = component.type !== 23 && component.required !== false;
    const grouped = component.type === 21 || component.type === 22;
    const trouble = h('p', { class: 'field-trouble', id: `${id}-trouble` });
    made.control.setAttribute('aria-describedby', `${id}-about ${id}-trouble`);
    const star = required && h('span', { class: 'required', title: 'Required' }, ' *');
    const view = h(
      grouped ? 'fieldset' : 'div',
      { class: 'field', 'data-field': component.custom_id },
      h(grouped ? 'legend' : 'label', grouped ? null : { for: id }, label, star),
      description && h('p', { class: 'field-about', id: `${id}-about` }, description),
      made.view,
      trouble,
      made.count,
    );
    const show = (text) => {
      trouble.textContent = text ?? '';
      view.classList.toggle('wrong', Boolean(text));
      made.control.setAttribute('aria-invalid', text ? 'true' : 'false');
    };
    view.addEventListener('input', () => show(null));
    const answer = () => ({
      type: component.type,
      ...identity(component),
      custom_id: component.custom_id,
      ...made.answer(),
    });
    return { view, answer, problem: made.problem, show, control: made.control };
  }

  #control(component, id, label) {
    const required = component.required !== false;
    if (component.type === 4) return textInput(component, id, required);
    if (component.type === 21) return choiceGroup(component, id, 'radio', required);
    if (component.type === 22) return choiceGroup(component, id, 'checkbox', required);
    if (component.type === 23) return checkbox(component, id);
    if (isSelect(component)) return this.#select(component, id, label, required);
    const view = h('div', { class: 'unsupported', id }, 'Files cannot be uploaded in the sandbox');
    return {
      view,
      control: view,
      answer: () => ({ values: [] }),
      problem: () => (required ? 'Files cannot be uploaded in the sandbox' : null),
    };
  }

  #select(component, id, label, required) {
    let chosen = defaultsOf(component);
    const least = component.min_values ?? 1;
    const most = component.max_values ?? 1;
    const holder = h('div', { class: 'select-holder' });
    const draw = () => {
      const button = selectButton(component, this.#world, chosen);
      button.id = id;
      holder.replaceChildren(button);
      return button;
    };
    holder.addEventListener('click', (event) => {
      const button = event.target.closest('[data-select]');
      if (!button) return;
      const commit = (values) => {
        chosen = values;
        draw().focus();
        holder.dispatchEvent(new Event('input', { bubbles: true }));
      };
      showMenu(button, {
        title: label,
        offers: offersOf(component, this.#world),
        chosen,
        least: required ? least : 0,
        most,
        commit,
      });
    });
    draw();
    const problem = () => {
      if (!chosen.length) return required && least > 0 ? 'Choose something' : null;
      return chosen.length < least ? `Choose at least ${least}` : null;
    };
    return { view: holder, control: holder, answer: () => ({ values: chosen }), problem };
  }

  // ------------------------------------------------------------ sending

  #send(modal, send) {
    if (this.#submit.getAttribute('aria-disabled') === 'true') return;
    let first = null;
    for (const field of this.#fields.flatMap((each) => each.inner)) {
      const problem = field.problem();
      field.show(problem);
      if (problem) first ??= field;
    }
    if (first) {
      const inside = first.control.matches('input,textarea')
        ? first.control
        : first.control.querySelector('input,button');
      inside?.focus();
      return;
    }
    this.#wait(true);
    this.#trouble.textContent = '';
    send(
      this.#fields.map((field) => field.part()),
      {
        answered: () => this.#dialog.close(),
        failed: ({ reason }) => {
          this.#wait(false);
          this.#trouble.textContent = `Something went wrong: ${reason}. Your answers are still here; try again.`;
        },
      },
    );
  }

  #wait(waiting) {
    this.#submit.setAttribute('aria-disabled', String(waiting));
    this.#submit.classList.toggle('busy', waiting);
    this.#submit.querySelector('.spinner')?.remove();
    if (waiting) this.#submit.append(h('span', { class: 'spinner', 'aria-hidden': 'true' }));
  }
}

const identity = (component) => (component.id === undefined ? {} : { id: component.id });
const shell = (component) => ({ type: component.type, ...identity(component) });

function textInput(component, id, required) {
  const long = component.style === 2;
  const least = component.min_length ?? 0;
  const most = component.max_length ?? LONGEST;
  const control = h(long ? 'textarea' : 'input', {
    id,
    class: 'text-input',
    type: long ? null : 'text',
    rows: long ? '5' : null,
    placeholder: component.placeholder,
    maxlength: most,
    autocomplete: 'off',
    'aria-required': String(required),
    'data-custom-id': component.custom_id,
  });
  control.value = component.value ?? '';
  const count = h('span', { class: 'field-count', 'aria-hidden': 'true' });
  const tally = () => {
    count.textContent = component.max_length ? `${control.value.length} / ${most}` : '';
  };
  control.addEventListener('input', tally);
  tally();
  const problem = () => {
    const { length } = control.value;
    if (length === 0) return required ? 'This field is required' : null;
    if (length < least) return `At least ${least} characters, not ${length}`;
    return length > most ? `At most ${most} characters, not ${length}` : null;
  };
  return { view: control, control, count, problem, answer: () => ({ value: control.value }) };
}

function choiceGroup(component, id, type, required) {
  const many = type === 'checkbox';
  const least = component.min_values ?? (required ? 1 : 0);
  const most = many ? (component.max_values ?? component.options.length) : 1;
  const inputs = component.options.map((option, at) => {
    const input = h('input', {
      type,
      id: `${id}-${at}`,
      name: id,
      value: option.value,
      'data-option-value': option.value,
    });
    input.checked = option.default === true;
    return input;
  });
  const rows = component.options.map((option, at) =>
    h('label', { class: 'choice', for: `${id}-${at}` }, inputs[at], optionWords(option.label, option.description)),
  );
  const view = h(
    'div',
    { class: 'choices', id, role: many ? 'group' : 'radiogroup', 'data-custom-id': component.custom_id },
    rows,
  );
  const chosen = () => inputs.filter((input) => input.checked).map((input) => input.value);
  const problem = () => {
    const size = chosen().length;
    if (size === 0 && !required) return null;
    if (size < least || (required && size === 0))
      return many && least > 1 ? `Choose at least ${least}` : 'Choose something';
    return size > most ? `Choose at most ${most}` : null;
  };
  return { view, control: view, problem, answer: () => (many ? { values: chosen() } : { value: chosen()[0] ?? null }) };
}

function checkbox(component, id) {
  const control = h('input', { type: 'checkbox', id, class: 'lone-checkbox', 'data-custom-id': component.custom_id });
  control.checked = component.default === true;
  return { view: control, control, problem: () => null, answer: () => ({ value: control.checked }) };
}
