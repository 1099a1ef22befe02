// Discord's markdown as DOM nodes. Text goes only into text nodes and addresses through `safeUrl`, so a message cannot
// contain markup or scripts of its own. Imports dom.js and time.js.

import { h, icon, safeUrl } from './dom.js';
import { stamp } from './time.js';

const DEEPEST = 12;
const ESCAPABLE = /[!-/:-@[-`{-~]/u;
const FENCE = /```(?:([A-Za-z0-9_+#.-]+)\n)?([\s\S]+?)```/y;
const HEADING = /^(#{1,3})\s+(\S.*)$/u;
const SMALL = /^-#\s+(\S.*)$/u;
const ITEM = /^( *)([-*]|\d{1,9}\.) +(\S.*)$/u;
const CODE = /(`+)([\s\S]*?[^`])\1(?!`)/y;
const LINK =
  /\[((?:[^[\]\\]|\\.|\[[^[\]]*\])+)\]\(\s*<?(https?:\/\/(?:[^\s<>()]|\([^\s<>()]*\))+)>?(?:\s+"[^"]*")?\s*\)/y;
const BARE = /https?:\/\/[^\s<>|]*[^\s<>|.,:;"'\])*_~]/y;
const ANGLE = /<(https?:\/\/[^\s<>]+)>/y;
const USER = /<@!?(\d{1,20})>/y;
const ROLE = /<@&(\d{1,20})>/y;
const CHANNEL = /<#(\d{1,20})>/y;
const COMMAND = /<\/([-\w\p{L}]+(?: [-\w\p{L}]+){0,2}):(\d{1,20})>/uy;
const EMOJI = /<(a?):(\w{2,32}):(\d{1,20})>/y;
const STAMP = /<t:(-?\d{1,13})(?::([tTdDfFsSR]))?>/y;
const EVERYONE = /@(?:everyone|here)\b/y;
const PLACE = /^https?:\/\/(?:\w+\.)?discord(?:app)?\.com\/channels\/(?:\d+|@me)\/(\d+)(?:\/(\d+))?\/?$/u;
const ONLY_EMOJI = /^(?:\s|<a?:\w{2,32}:\d{1,20}>|\p{RGI_Emoji})+$/v;

/**
 * Render a text as a fragment. `context` is the world (users, `role`, `channel`, `me`, `now`).
 *
 * With `blocks` false only inline markup is read: no headings, lists, quotes and code blocks.
 */
export function markdown(text, context, { blocks = true } = {}) {
  const fragment = document.createDocumentFragment();
  fragment.append(...(blocks ? blocksOf(text, context, 0) : inline(text, context, 0)));
  return fragment;
}

/** Return true for a message of emoji only, which are shown large. */
export function onlyEmoji(text) {
  return text.trim() !== '' && text.length < 400 && ONLY_EMOJI.test(text);
}

/** Return the text without markup, for labels and announcements. */
export function plainText(text, context) {
  const holder = h('div', null, markdown(text, context));
  for (const block of holder.querySelectorAll('br,h3,h4,h5,li,blockquote,pre,.small-print')) block.after(' ');
  return holder.textContent.replace(/\s+/gu, ' ').trim();
}

/**
 * Render a custom emoji as an image, a Unicode one as text. `emoji` has `id`, `name` and `animated`, as in Discord's
 * JSON.
 */
export function emojiNode(emoji) {
  if (!emoji.id) return h('span', { class: 'emoji-text' }, emoji.name);
  const source = `/cdn/emojis/${encodeURIComponent(emoji.id)}.${emoji.animated ? 'gif' : 'png'}`;
  const name = `:${emoji.name}:`;
  // A deleted one is only a name, as on Discord.
  const onerror = (event) => event.target.replaceWith(name);
  return h('img', { class: 'emoji', src: source, alt: name, title: name, draggable: 'false', onerror });
}

/** Return what a Discord message link refers to on this page: `{channel, message}`, or null. */
export function placeOf(address) {
  const found = PLACE.exec(address);
  return found ? { channel: found[1], message: found[2] ?? null } : null;
}

// ---------------------------------------------------------------- blocks

function blocksOf(text, context, depth) {
  const nodes = [];
  let at = 0;
  while (at < text.length) {
    const line = lineAt(text, at);
    const block =
      depth < DEEPEST &&
      (quote(text, at, context, depth) ?? single(line, at, context, depth) ?? list(text, at, context, depth));
    if (block) {
      nodes.push(block.node);
      at = block.end;
      continue;
    }
    const run = paragraph(text, at);
    nodes.push(...inline(text.slice(at, run.end), context, depth));
    at = run.end;
    if (run.fence) {
      const [whole, language, code] = run.fence;
      nodes.push(
        h('pre', { class: 'code-block', 'data-language': language }, h('code', null, code.replace(/^\n+|\n+$/gu, ''))),
      );
      at += whole.length;
      if (text[at] === '\n') at += 1;
    } else if (text[at] === '\n') {
      nodes.push(h('br'));
      at += 1;
    }
  }
  return nodes;
}

function lineAt(text, at) {
  const end = text.indexOf('\n', at);
  return text.slice(at, end < 0 ? text.length : end);
}

/** Return the end of a line, its newline included, since it belongs to the block. */
function after(text, at, line) {
  return Math.min(text.length, at + line.length + 1);
}

/** Read plain lines up to the next block or code fence: inline markup may span several lines. */
function paragraph(text, at) {
  let end = at;
  while (end < text.length) {
    const stop = end + lineAt(text, end).length;
    for (let fence = text.indexOf('```', end); fence >= 0 && fence < stop; fence = text.indexOf('```', fence + 1)) {
      FENCE.lastIndex = fence;
      const found = text[fence - 1] === '\\' ? null : FENCE.exec(text);
      if (found) return { end: fence, fence: found };
    }
    if (stop >= text.length || startsBlock(lineAt(text, stop + 1), text.slice(stop + 1, stop + 5)))
      return { end: stop };
    end = stop + 1;
  }
  return { end };
}

function startsBlock(line, ahead) {
  return HEADING.test(line) || SMALL.test(line) || ITEM.test(line) || line.startsWith('> ') || ahead.startsWith('>>> ');
}

function quote(text, at, context, depth) {
  if (text.startsWith('>>> ', at)) {
    return { node: h('blockquote', null, blocksOf(text.slice(at + 4), context, depth + 1)), end: text.length };
  }
  const lines = [];
  let end = at;
  for (let line = lineAt(text, end); end < text.length && line.startsWith('> '); line = lineAt(text, end)) {
    lines.push(line.slice(2));
    end = after(text, end, line);
  }
  return lines.length ? { node: h('blockquote', null, blocksOf(lines.join('\n'), context, depth + 1)), end } : null;
}

function single(line, at, context, depth) {
  const heading = HEADING.exec(line);
  const end = at + line.length + 1;
  // The page's own headings are h1 and h2, so those in messages start at h3.
  if (heading) return { node: h(`h${heading[1].length + 2}`, null, inline(heading[2], context, depth + 1)), end };
  const small = SMALL.exec(line);
  return small && { node: h('div', { class: 'small-print' }, inline(small[1], context, depth + 1)), end };
}

function list(text, at, context, depth) {
  const items = [];
  let end = at;
  while (end < text.length) {
    const line = lineAt(text, end);
    const found = ITEM.exec(line);
    if (found) items.push({ indent: found[1].length, mark: found[2], text: found[3] });
    else if (items.length && /^ +\S/u.test(line)) items.at(-1).text += `\n${line.trim()}`;
    else break;
    end = after(text, end, line);
  }
  return items.length ? { node: h('div', { class: 'lists' }, nest(items, context, depth)), end } : null;
}

/** Render list items; deeper items go into a list inside the item above them. */
function nest(items, context, depth) {
  const lists = [];
  for (let at = 0; at < items.length;) {
    const ordered = /\d/u.test(items[at].mark);
    const tag = ordered ? 'OL' : 'UL';
    if (lists.at(-1)?.nodeName !== tag) lists.push(h(tag, { start: ordered && Number.parseInt(items[at].mark, 10) }));
    const item = h('li', null, inline(items[at].text, context, depth + 1));
    let next = at + 1;
    while (next < items.length && items[next].indent > items[at].indent) next += 1;
    if (next > at + 1) item.append(...nest(items.slice(at + 1, next), context, depth + 1));
    lists.at(-1).append(item);
    at = next;
  }
  return lists;
}

// ---------------------------------------------------------------- inline

function inline(text, context, depth) {
  const nodes = [];
  let plain = '';
  for (let at = 0; at < text.length;) {
    const found = depth > DEEPEST ? null : mark(text, at, context, depth);
    if (!found) {
      plain += text[at];
      at += 1;
    } else if (typeof found.node === 'string') {
      plain += found.node;
      at = found.end;
    } else {
      if (plain) nodes.push(document.createTextNode(plain));
      plain = '';
      nodes.push(found.node);
      at = found.end;
    }
  }
  if (plain) nodes.push(document.createTextNode(plain));
  return nodes;
}

/** Return the markup that starts at this character, as its node and end, or null for plain text. */
function mark(text, at, context, depth) {
  switch (text[at]) {
    case '\n':
      return { node: h('br'), end: at + 1 };
    case '\\':
      return at + 1 < text.length && ESCAPABLE.test(text[at + 1]) ? { node: text[at + 1], end: at + 2 } : null;
    case '`':
      return code(text, at);
    case '*':
      return wrap(text, at, '**', 'strong', context, depth) ?? wrap(text, at, '*', 'em', context, depth);
    case '_':
      return wrap(text, at, '__', 'u', context, depth) ?? wrap(text, at, '_', 'em', context, depth);
    case '~':
      return wrap(text, at, '~~', 's', context, depth);
    case '|':
      return spoiler(text, at, context, depth);
    case '[':
      return masked(text, at, context, depth);
    case '<':
      return pointed(text, at, context);
    case 'h':
      return bare(text, at, context);
    case '@':
      return take(EVERYONE, text, at, ([whole]) => h('span', { class: 'mention' }, whole));
    default:
      return null;
  }
}

function take(pattern, text, at, build) {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  const node = found && build(found);
  return node ? { node, end: at + found[0].length } : null;
}

function code(text, at) {
  return take(CODE, text, at, ([, , content]) => h('code', null, content.trim() || content));
}

function wrap(text, at, sign, tag, context, depth) {
  const span = between(text, at, sign);
  return span && { node: h(tag, null, inline(span.inner, context, depth + 1)), end: span.end };
}

/** Return the text from a delimiter to its closing one, past escapes and code, or null. */
function between(text, at, sign) {
  if (!text.startsWith(sign, at)) return null;
  const from = at + sign.length;
  const single = sign.length === 1;
  if (single && /\s|^$/u.test(text[from] ?? '')) return null;
  for (let i = from; i < text.length; i += 1) {
    if (text[i] === '\\') {
      i += 1;
      continue;
    }
    const skipped = text[i] === '`' && code(text, i);
    if (skipped) {
      i = skipped.end - 1;
      continue;
    }
    if (text[i] !== sign[0]) continue;
    let run = i;
    while (text[run] === sign[0]) run += 1;
    const length = run - i;
    // In a run like *** the last characters close this delimiter; those before belong to an inner one.
    const fits = single ? length % 2 === 1 && !(length === 1 && /\s/u.test(text[i - 1])) : length >= 2;
    const end = run - sign.length;
    // An underscore inside a word is part of the word, so an italic text contains none.
    if (sign === '_' && length === 1 && /\w/u.test(text[run] ?? '')) return null;
    if (fits && end > from) return { inner: text.slice(from, end), end: run };
    i = run - 1;
  }
  return null;
}

function spoiler(text, at, context, depth) {
  const span = between(text, at, '||');
  if (!span) return null;
  const inner = h('span', { class: 'spoiler-text' }, inline(span.inner, context, depth + 1));
  return {
    node: h('span', { class: 'spoiler', role: 'button', tabindex: '0', 'aria-label': 'Spoiler' }, inner),
    end: span.end,
  };
}

function masked(text, at, context, depth) {
  return take(LINK, text, at, ([, label, address]) => anchor(address, inline(label, context, depth + 1)));
}

function bare(text, at, context) {
  return take(BARE, text, at, ([address]) => linkOf(address, context));
}

function linkOf(address, context) {
  const place = placeOf(address);
  if (!place) return anchor(address, address);
  const channel = context.channel(place.channel);
  const name = channel ? `#${channel.name}` : 'direct message';
  return anchor(address, [name, place.message ? ' › message' : ''], 'mention');
}

/** Create a link that opens in another tab, or inside the page if it refers to a message here. */
export function anchor(address, children, kind = 'link') {
  const url = safeUrl(address);
  if (!url) return null;
  const place = placeOf(address);
  const goal = place && { 'data-go-channel': place.channel, 'data-go-message': place.message };
  return h('a', { class: kind, href: url, target: '_blank', rel: 'noopener noreferrer', ...goal }, children);
}

function pointed(text, at, context) {
  return (
    take(USER, text, at, ([, id]) => mentionOf(context, id)) ??
    take(ROLE, text, at, ([, id]) =>
      h('span', { class: 'mention' }, `@${context.role(id)?.name.replace(/^@/u, '') ?? 'unknown-role'}`),
    ) ??
    take(CHANNEL, text, at, ([, id]) => channelOf(context, id)) ??
    take(COMMAND, text, at, ([, path]) =>
      h('button', { class: 'mention command-mention', type: 'button', 'data-run': path }, `/${path}`),
    ) ??
    take(EMOJI, text, at, ([, animated, name, id]) => emojiNode({ id, name, animated: animated === 'a' })) ??
    take(STAMP, text, at, ([, seconds, style]) => stamp(Number(seconds), style ?? 'f', context.now())) ??
    take(ANGLE, text, at, ([, address]) => linkOf(address, context))
  );
}

function mentionOf(context, id) {
  const user = context.users.get(id);
  const name = user ? user.global_name || user.username : 'unknown-user';
  return h('span', { class: `mention ${id === context.me?.id ? 'of-me' : ''}`, 'data-mention': id }, `@${name}`);
}

function channelOf(context, id) {
  const channel = context.channel(id);
  if (!channel) return h('span', { class: 'mention' }, '#unknown');
  return h('button', { class: 'mention', type: 'button', 'data-go-channel': id }, `#${channel.name}`);
}

/** Create the icon of a link that leaves the page. */
export function outside() {
  return icon('link');
}
