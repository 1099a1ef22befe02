// Message components, legacy ones (action rows) and V2 (layouts), in Discord's JSON. They have no listeners of their
// own: actions.js finds what was pressed by `data-custom-id`. Imports dom.js, markdown.js, media.js and state.js.

import { h, icon, safeUrl } from './dom.js';
import { emojiNode, markdown, outside, placeOf } from './markdown.js';
import { fileCard, gallery, picture } from './media.js';
import { nameOf } from './state.js';

const BUTTON_STYLES = { 1: 'primary', 2: 'secondary', 3: 'success', 4: 'danger', 5: 'link-button', 6: 'premium' };
const SELECTS = [3, 5, 6, 7, 8];
const NOTHING_CHOSEN = {
  3: 'Make a selection',
  5: 'Select a user',
  6: 'Select a role',
  7: 'Select a user or role',
  8: 'Select a channel',
};

export const isSelect = (component) => SELECTS.includes(component.type);

/**
 * Render the components of a message. `scope` has `context` (the world), `busy(customId)` (a press is pending) and
 * `picked(customId)` (the values that the reader has chosen, if any).
 */
export function components(list, scope) {
  return list.map((component) => view(component, scope));
}

/** Yield every component, containers before their content. */
export function* walk(list) {
  for (const component of list ?? []) {
    yield component;
    yield* walk(component.components);
    if (component.accessory) yield* walk([component.accessory]);
    if (component.component) yield* walk([component.component]);
  }
}

/** Return the component of a message with this custom id. */
export function findComponent(message, customId) {
  for (const component of walk(message.components)) if (component.custom_id === customId) return component;
  return null;
}

function view(component, scope) {
  switch (component.type) {
    case 1:
      return h('div', { class: 'action-row' }, components(component.components, scope));
    case 2:
      return button(component, scope);
    case 9:
      return h(
        'div',
        { class: 'section' },
        h('div', { class: 'section-words' }, components(component.components, scope)),
        h('div', { class: 'section-accessory' }, view(component.accessory, scope)),
      );
    case 10:
      return h('div', { class: 'text-display markup' }, markdown(component.content, scope.context));
    case 11:
      return h('div', { class: 'thumbnail' }, picture(component.media, component.description, component));
    case 12:
      return gallery(component.items);
    case 13:
      return fileCard(
        component.name ?? fileName(component.file.url),
        component.size,
        component.file.url,
        component.spoiler,
      );
    case 14:
      return separator(component);
    case 17:
      return container(component, scope);
    default:
      if (isSelect(component)) return select(component, scope);
      return h('div', { class: 'unsupported' }, `The sandbox cannot show a component of type ${component.type}`);
  }
}

function fileName(address) {
  return decodeURIComponent(new URL(address, location.href).pathname.split('/').pop());
}

function separator(component) {
  const wide = component.spacing === 2 ? 'wide' : '';
  return component.divider === false ? h('div', { class: `gap ${wide}` }) : h('hr', { class: `gap ${wide}` });
}

function container(component, scope) {
  const colour = Number.isInteger(component.accent_color)
    ? `#${component.accent_color.toString(16).padStart(6, '0')}`
    : null;
  return h(
    'section',
    {
      class: `container ${colour ? 'accented' : ''} ${component.spoiler ? 'spoiler' : ''}`,
      style: colour && { '--accent': colour },
    },
    h('div', { class: 'container-content' }, components(component.components, scope)),
    component.spoiler && h('button', { class: 'spoiler-word', type: 'button' }, 'Spoiler'),
  );
}

/** Disable a control with `aria-disabled`, so that it keeps the focus if it has it. */
function button(component, scope) {
  const kind = BUTTON_STYLES[component.style] ?? 'secondary';
  const words = [
    component.emoji && emojiNode(component.emoji),
    component.label && h('span', { class: 'button-label' }, component.label),
  ];
  if (component.style === 5) {
    const place = placeOf(component.url);
    const goal = place && { 'data-go-channel': place.channel, 'data-go-message': place.message };
    const address = component.disabled ? null : safeUrl(component.url);
    return h(
      'a',
      {
        class: `button ${kind}`,
        href: address,
        target: '_blank',
        rel: 'noopener noreferrer',
        'aria-disabled': component.disabled ? 'true' : null,
        ...goal,
      },
      words,
      outside(),
    );
  }
  if (component.style === 6) return h('span', { class: `button ${kind}` }, words, 'Premium: not part of the sandbox');
  const busy = scope.busy(component.custom_id);
  return h(
    'button',
    {
      class: `button ${kind} ${busy ? 'busy' : ''}`,
      type: 'button',
      'data-custom-id': component.custom_id,
      'aria-disabled': component.disabled || busy ? 'true' : null,
      'aria-busy': busy ? 'true' : null,
      'aria-label': component.label ? null : component.emoji?.name,
    },
    words,
    busy && h('span', { class: 'spinner', 'aria-hidden': 'true' }),
  );
}

/** Return the default values of a menu. */
export function defaultsOf(component) {
  if (component.type === 3) return component.options.filter((option) => option.default).map((option) => option.value);
  return (component.default_values ?? []).map((value) => String(value.id));
}

/** Return a menu's options, `{value, label, description, emoji}`, also for people, roles and channels. */
export function offersOf(component, context) {
  if (component.type === 3) return component.options;
  const people = [...context.users.values()].map((user) => ({
    value: user.id,
    label: nameOf(user),
    description: user.bot ? 'Bot' : user.username,
    user,
  }));
  const roles = (context.guild?.roles ?? []).map((role) => ({
    value: role.id,
    label: `@${role.name.replace(/^@/u, '')}`,
  }));
  const types = component.channel_types;
  const channels = context.channels
    .filter((channel) => !types?.length || types.includes(channel.type ?? 0))
    .map((channel) => ({ value: channel.id, label: `#${channel.name}` }));
  return { 5: people, 6: roles, 7: [...people, ...roles], 8: channels }[component.type];
}

function select(component, scope) {
  const chosen = scope.picked(component.custom_id) ?? defaultsOf(component);
  return selectButton(component, scope.context, chosen, scope.busy(component.custom_id));
}

/** Render a closed menu. `select.js` opens it. */
export function selectButton(component, context, chosen, busy = false) {
  const offers = offersOf(component, context);
  const shown = chosen.map((value) => offers.find((offer) => offer.value === value)).filter(Boolean);
  const hint = component.placeholder || NOTHING_CHOSEN[component.type];
  const words = shown.length
    ? shown.map((offer) => h('span', { class: 'chosen' }, offer.emoji && emojiNode(offer.emoji), offer.label))
    : h('span', { class: 'placeholder' }, hint);
  return h(
    'button',
    {
      class: `select ${busy ? 'busy' : ''}`,
      type: 'button',
      'data-custom-id': component.custom_id,
      'data-select': true,
      'aria-haspopup': 'listbox',
      'aria-label': shown.length ? `${hint}: ${shown.map((offer) => offer.label).join(', ')}` : hint,
      'aria-disabled': component.disabled || busy ? 'true' : null,
      'aria-busy': busy ? 'true' : null,
    },
    h('span', { class: 'select-words' }, words),
    busy ? h('span', { class: 'spinner', 'aria-hidden': 'true' }) : icon('fold'),
  );
}
