// Rendering one message: the line above it, its header and body, and the note below an ephemeral one. Imports
// components.js, dom.js, embeds.js, markdown.js, media.js, state.js and time.js.

import { components } from './components.js';
import { append, avatar, h, icon } from './dom.js';
import { embeds } from './embeds.js';
import { emojiNode, markdown, onlyEmoji, plainText } from './markdown.js';
import { attachments } from './media.js';
import { EPHEMERAL, LOADING, nameOf, SILENT } from './state.js';
import { clockText, whenText } from './time.js';

export const REPLY = 19;
const THREAD_BEGUN = 18;
const FAILED = 'This interaction failed';

/** Render a message of a channel; `lead` if it starts a group of one author's messages. */
export function messageView(world, channel, message, lead) {
  const author = world.users.get(message.author.id) ?? message.author;
  const flags = message.flags ?? 0;
  const ephemeral = Boolean(flags & EPHEMERAL);
  const moment = Date.parse(message.timestamp);
  const calls = message.mentions?.some((user) => user.id === world.me?.id) || message.mention_everyone;
  const scope = {
    context: world,
    busy: (customId) => world.busy(message.id, customId),
    picked: (customId) => world.picked(message.id, customId),
  };
  const article = h('article', {
    class: ['message', lead ? 'lead' : 'grouped', ephemeral && 'ephemeral', calls && 'calls-me']
      .filter(Boolean)
      .join(' '),
    'data-key': message.id,
    'data-message-id': message.id,
    'data-author': nameOf(author),
    tabindex: '-1',
    'aria-label': `${nameOf(author)}, ${whenText(moment, world.now())}`,
  });
  append(
    article,
    above(world, message),
    lead
      ? avatar({ ...author, bot: author.bot })
      : h('span', { class: 'gutter-time', 'aria-hidden': 'true' }, clockText(moment)),
  );
  if (lead) append(article, header(world, author, message, moment));
  append(article, body(world, message, scope), failure(world, message), ephemeral && onlyYou(message));
  return article;
}

function header(world, author, message, moment) {
  return h(
    'header',
    { class: 'message-head' },
    h('span', { class: `author ${author.bot ? 'of-bot' : ''}` }, nameOf(author)),
    author.bot && h('span', { class: 'tag' }, 'BOT'),
    h('time', { class: 'when', datetime: new Date(moment).toISOString() }, whenText(moment, world.now())),
    (message.flags ?? 0) & SILENT
      ? h(
          'span',
          { class: 'silent', title: 'Sent without a notification' },
          icon('silent'),
          h('span', { class: 'unseen' }, 'sent silently'),
        )
      : null,
    message.edited_timestamp && !message.content && edited(message),
  );
}

function edited(message) {
  return h(
    'span',
    { class: 'edited', title: `Edited ${new Date(message.edited_timestamp).toLocaleString()}` },
    '(edited)',
  );
}

/** Render the line above a message: the command that was used, or what it replies to. */
function above(world, message) {
  const used = message.interaction_metadata ?? message.interaction;
  const command = used?.name ?? message.interaction?.name;
  if (command && used.user) {
    return by(world, used.user, ' used ', h('span', { class: 'above-command' }, `/${command}`));
  }
  if (!message.message_reference || (message.type !== REPLY && !message.referenced_message)) return null;
  const replied = message.referenced_message;
  if (!replied) return h('div', { class: 'above' }, icon('reply'), h('em', null, 'Original message was deleted'));
  const words = plainText(replied.content ?? '', world) || 'Click to see the message';
  const goes = { 'data-go-channel': message.message_reference.channel_id, 'data-go-message': replied.id };
  return by(world, replied.author, h('button', { class: 'above-words', type: 'button', ...goes }, words));
}

/** Create a line above a message: a user, and what they did or said. */
function by(world, someone, ...rest) {
  const user = world.users.get(someone.id) ?? someone;
  return h('div', { class: 'above' }, avatar(user, 'tiny'), h('span', { class: 'above-name' }, nameOf(user)), ...rest);
}

function body(world, message, scope) {
  if (message.type === THREAD_BEGUN) {
    return h('div', { class: 'body' }, h('div', { class: 'content' }, 'began a thread: '), thread(world, message));
  }
  if ((message.flags ?? 0) & LOADING) {
    return h('div', { class: 'body thinking' }, `${nameOf(message.author)} is thinking`, dots());
  }
  return h(
    'div',
    { class: 'body' },
    message.content && content(world, message),
    message.embeds?.length > 0 && embeds(message.embeds, world),
    message.attachments?.length > 0 && attachments(message.attachments),
    message.components?.length > 0 && h('div', { class: 'components' }, components(message.components, scope)),
    message.reactions?.length > 0 &&
      h(
        'div',
        { class: 'reactions' },
        message.reactions.map((reaction) =>
          h('span', { class: 'reaction' }, emojiNode(reaction.emoji), ` ${reaction.count}`),
        ),
      ),
    message.thread && thread(world, message),
  );
}

/** Render the link to a thread that was started from a message. */
function thread(world, message) {
  const now = world.channel(message.thread.id);
  const count = world.messages(message.thread.id).length;
  const said = count === 1 ? '1 message' : `${count} messages`;
  return h(
    'button',
    { class: 'thread-card', type: 'button', 'data-go-channel': message.thread.id, disabled: !now },
    icon('thread'),
    h('span', { class: 'thread-name' }, now?.name ?? message.thread.name),
    h('span', { class: 'thread-said' }, now ? `${said}${now.archived ? ' · in the archive' : ''} ›` : 'gone'),
  );
}

function content(world, message) {
  const words = h(
    'div',
    { class: `content markup ${onlyEmoji(message.content) ? 'jumbo' : ''}` },
    markdown(message.content, world),
  );
  if (message.edited_timestamp) words.append(' ', edited(message));
  return words;
}

function dots() {
  return h('span', { class: 'dots', 'aria-hidden': 'true' }, h('i'), h('i'), h('i'));
}

function failure(world, message) {
  const reason = world.failure(message.id);
  return (
    reason &&
    h(
      'p',
      { class: 'failure', 'data-failure': true },
      icon('alert'),
      FAILED,
      reason !== FAILED && h('span', { class: 'failure-reason' }, ` (${reason})`),
    )
  );
}

function onlyYou(message) {
  return h(
    'footer',
    { class: 'only-you' },
    icon('eye'),
    'Only you can see this • ',
    h('button', { class: 'link', type: 'button', 'data-dismiss': message.id }, 'Dismiss message'),
  );
}

export function echoView(world, echo) {
  const failed = echo.failed !== null;
  return h(
    'article',
    { class: 'message lead echo', 'data-key': echo.key, tabindex: '-1', 'aria-label': echo.command },
    h(
      'div',
      { class: 'above' },
      avatar(world.me, 'tiny'),
      h('span', { class: 'above-name' }, nameOf(world.me)),
      ' used ',
      h('span', { class: 'above-command' }, echo.command),
    ),
    avatar({ ...world.bot, bot: true }),
    h(
      'header',
      { class: 'message-head' },
      h('span', { class: 'author of-bot' }, world.botName()),
      h('span', { class: 'tag' }, 'BOT'),
    ),
    failed
      ? h(
          'div',
          { class: 'body' },
          h(
            'p',
            { class: 'failure', 'data-failure': true },
            icon('alert'),
            'The application did not respond',
            h('span', { class: 'failure-reason' }, ` (${echo.failed})`),
          ),
        )
      : h('div', { class: 'body thinking' }, 'Sending command', dots()),
    failed &&
      h(
        'footer',
        { class: 'only-you' },
        icon('eye'),
        'Only you can see this • ',
        h('button', { class: 'link', type: 'button', 'data-drop-echo': echo.key }, 'Dismiss message'),
      ),
  );
}
