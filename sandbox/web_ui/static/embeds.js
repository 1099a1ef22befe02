// Embeds in Discord's JSON. Imports dom.js, markdown.js, media.js and time.js.

import { h, safeUrl } from './dom.js';
import { anchor, markdown } from './markdown.js';
import { picture } from './media.js';
import { whenText } from './time.js';

export function embeds(list, context) {
  return list.map((embed) => embedView(embed, context));
}

function embedView(embed, context) {
  const colour = embed.color ? `#${embed.color.toString(16).padStart(6, '0')}` : null;
  const line = (text) => markdown(text, context, { blocks: false });
  return h(
    'section',
    { class: 'embed', style: colour && { '--accent': colour } },
    h(
      'div',
      { class: 'embed-words' },
      embed.provider?.name && h('div', { class: 'embed-provider' }, embed.provider.name),
      embed.author &&
        h('div', { class: 'embed-author' }, small(embed.author), linked(embed.author.url, embed.author.name)),
      embed.title &&
        h('div', { class: 'embed-title' }, embed.url ? anchor(embed.url, line(embed.title)) : line(embed.title)),
      embed.description && h('div', { class: 'embed-description markup' }, markdown(embed.description, context)),
      embed.fields?.length > 0 &&
        h(
          'div',
          { class: 'embed-fields' },
          embed.fields.map((field) => fieldView(field, context)),
        ),
    ),
    embed.thumbnail && h('div', { class: 'embed-thumbnail' }, picture(embed.thumbnail, embed.thumbnail.description)),
    embed.image && h('div', { class: 'embed-image' }, picture(embed.image, embed.image.description)),
    footer(embed, context),
  );
}

function fieldView(field, context) {
  return h(
    'div',
    { class: `embed-field ${field.inline ? 'inline' : ''}` },
    h('div', { class: 'embed-field-name' }, markdown(field.name, context, { blocks: false })),
    h('div', { class: 'markup' }, markdown(field.value, context)),
  );
}

function footer(embed, context) {
  const moment = embed.timestamp ? Date.parse(embed.timestamp) : Number.NaN;
  const when = Number.isNaN(moment) ? '' : whenText(moment, context.now());
  const words = [embed.footer?.text, when].filter(Boolean).join(' • ');
  return words && h('div', { class: 'embed-footer' }, embed.footer && small(embed.footer), words);
}

function small(holder) {
  const source = holder.icon_url && safeUrl(holder.proxy_icon_url || holder.icon_url);
  return source && h('img', { class: 'embed-icon', src: source, alt: '', width: 24, height: 24 });
}

function linked(address, words) {
  return (address && anchor(address, words)) || words;
}
