// Slash commands without their display: matching what is typed, converting values, and building the nested options of
// an interaction. Imports state.js.

import { nameOf } from './state.js';

export const KIND = {
  subcommand: 1,
  group: 2,
  string: 3,
  integer: 4,
  boolean: 5,
  user: 6,
  channel: 7,
  role: 8,
  mentionable: 9,
  number: 10,
  file: 11,
};

const SAFE_INTEGER = 2 ** 53 - 1;
const LONGEST = 6_000;

/**
 * Return every command and subcommand that can be run in a channel, one entry each: `id`, `path` ("rope-wall start"),
 * `words` (the groups on the way: `{name, type}`), `description`, and `options` with the required ones first.
 * Descriptions and choices are in the language of `locale` if the bot has them.
 */
export function catalogue(commands, direct, locale) {
  const entries = [];
  for (const command of commands) {
    if ((command.type ?? 1) !== 1 || !fitsPlace(command, direct)) continue;
    collect(entries, command.id, localized(command, locale), command.name, []);
  }
  return entries.sort((a, b) => a.path.localeCompare(b.path));
}

function localized(node, locale) {
  return {
    ...node,
    description: node.description_localizations?.[locale] ?? node.description,
    ...(node.options && { options: node.options.map((option) => localized(option, locale)) }),
    ...(node.choices && {
      choices: node.choices.map((choice) => ({
        ...choice,
        name: choice.name_localizations?.[locale] ?? choice.name,
      })),
    }),
  };
}

function fitsPlace(command, direct) {
  if (command.contexts) return command.contexts.includes(direct ? 1 : 0);
  return !direct || (command.dm_permission !== false && !command.guild_id);
}

function collect(entries, id, node, path, words) {
  const options = node.options ?? [];
  const parts = options.filter((option) => option.type <= KIND.group);
  for (const part of parts)
    collect(entries, id, part, `${path} ${part.name}`, [...words, { name: part.name, type: part.type }]);
  if (parts.length) return;
  const ordered = [...options.filter((option) => option.required), ...options.filter((option) => !option.required)];
  entries.push({ id, path, words, description: node.description, options: ordered });
}

/** Return the entries that match "/ro st", the best first. */
export function search(entries, text) {
  const words = text.replace(/^\//u, '').toLowerCase().split(/\s+/u).filter(Boolean);
  const whole = words.join(' ');
  const ranked = [];
  for (const entry of entries) {
    const parts = entry.path.split(/[ -]/u);
    if (!words.every((word) => entry.path.includes(word))) continue;
    const rank =
      entry.path === whole
        ? 0
        : entry.path.startsWith(whole)
          ? 1
          : words.every((word) => parts.some((part) => part.startsWith(word)))
            ? 2
            : 3;
    ranked.push([rank, entry]);
  }
  return ranked.sort((a, b) => a[0] - b[0]).map(([, entry]) => entry);
}

/**
 * Return the entry whose whole path starts the text ("/rope-wall start level:rookie"), and the values after it by name;
 * null until a space follows the path.
 */
export function readLine(entries, text) {
  const typed = text.replace(/^\/\s*/u, '');
  const fits = entries.filter((entry) => typed.startsWith(`${entry.path} `));
  const entry = fits.sort((a, b) => b.path.length - a.path.length)[0];
  if (!entry) return null;
  const rest = typed.slice(entry.path.length);
  const marks = entry.options
    .map((option) => ({ option, at: rest.indexOf(` ${option.name}:`) }))
    .filter((mark) => mark.at >= 0)
    .sort((a, b) => a.at - b.at);
  const values = marks.map(({ option, at }, index) => [
    option.name,
    rest.slice(at + option.name.length + 2, marks[index + 1]?.at).trim(),
  ]);
  const left = rest.slice(0, marks[0]?.at).trim();
  return { entry, values: new Map(values), left };
}

/** Return the choices of an option that need no request, `{name, value}`; null if any text is allowed. */
export function offers(option, world) {
  if (option.choices?.length) return option.choices;
  const people = [...world.users.values()].map((user) => ({ name: nameOf(user), value: user.id, user }));
  const roles = (world.guild?.roles ?? []).map((role) => ({
    name: `@${role.name.replace(/^@/u, '')}`,
    value: role.id,
  }));
  switch (option.type) {
    case KIND.boolean:
      return [
        { name: 'True', value: true },
        { name: 'False', value: false },
      ];
    case KIND.user:
      return people;
    case KIND.role:
      return roles;
    case KIND.mentionable:
      return [...people, ...roles];
    case KIND.channel:
      return world.channels.map((channel) => ({ name: `#${channel.name}`, value: channel.id }));
    default:
      return null;
  }
}

const bare = (text) => String(text).replace(/^[@#]/u, '').toLowerCase();

/** Return the choices that match what is typed. */
export function narrow(list, typed) {
  const sought = bare(typed.trim());
  const starting = list.filter((offer) => bare(offer.name).startsWith(sought));
  return [...starting, ...list.filter((offer) => !starting.includes(offer) && bare(offer.name).includes(sought))].slice(
    0,
    25,
  );
}

/** Convert a typed text to an option's type: `{value}`, or `{error}` in words. */
export function valueOf(option, typed, world) {
  const text = typed.trim();
  const list = offers(option, world);
  if (list) {
    const found = list.find((offer) => bare(offer.name) === bare(text) || String(offer.value) === text);
    return found ? { value: found.value } : { error: `${option.name}: choose one of the list` };
  }
  if (option.type === KIND.file) return { error: `${option.name}: files cannot be attached in the sandbox` };
  if (option.type === KIND.integer || option.type === KIND.number) return numberOf(option, text);
  const least = option.min_length ?? 0;
  const most = option.max_length ?? LONGEST;
  if (text.length < least || text.length > most)
    return { error: `${option.name}: ${least} to ${most} characters, not ${text.length}` };
  return { value: text };
}

function numberOf(option, text) {
  const whole = option.type === KIND.integer;
  const number = Number(text.replace(',', '.'));
  if (text === '' || !Number.isFinite(number) || (whole && !Number.isInteger(number))) {
    return { error: `${option.name}: a ${whole ? 'whole ' : ''}number is wanted` };
  }
  const least = option.min_value ?? -SAFE_INTEGER;
  const most = option.max_value ?? SAFE_INTEGER;
  if (number >= least && number <= most) return { value: number };
  if (option.max_value === undefined) return { error: `${option.name}: ${least} or more` };
  return {
    error:
      option.min_value === undefined ? `${option.name}: ${most} or less` : `${option.name}: from ${least} to ${most}`,
  };
}

/**
 * Return the options of an interaction. `values` maps option names to values; `focused` is `{name, text}` of the option
 * to complete.
 */
export function nested(entry, values, focused = null) {
  const filled = [];
  for (const option of entry.options) {
    if (focused?.name === option.name)
      filled.push({ name: option.name, type: option.type, value: focused.text, focused: true });
    else if (values.has(option.name))
      filled.push({ name: option.name, type: option.type, value: values.get(option.name) });
  }
  return entry.words.reduceRight((options, word) => [{ ...word, options }], filled);
}
