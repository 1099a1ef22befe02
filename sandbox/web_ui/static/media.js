// Images and files of messages, and the lightbox that enlarges an image. Imports dom.js.

import { append, h, icon, safeUrl } from './dom.js';

const UNITS = ['bytes', 'KB', 'MB'];

/** "48.2 KB" */
export function sizeText(bytes) {
  if (!Number.isFinite(bytes)) return '';
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${unit ? size.toFixed(1) : size} ${UNITS[unit]}`;
}

/**
 * Create an image that enlarges on a click. `media` is Discord's media item or attachment; its width and height reserve
 * the space until it is loaded.
 */
export function picture(media, description, { spoiler = false } = {}) {
  const source = safeUrl(media.proxy_url || media.url);
  if (!source) return h('div', { class: 'unsupported' }, 'A picture without a usable address');
  const sized = media.width > 0 && media.height > 0;
  const image = h('img', {
    src: source,
    alt: description || 'Picture without a description',
    width: sized && media.width,
    height: sized && media.height,
    draggable: 'false',
  });
  return h(
    'button',
    {
      class: `picture ${spoiler ? 'spoiler' : ''}`,
      type: 'button',
      'data-picture': true,
      style: sized ? { '--width': `${media.width}px` } : null,
    },
    image,
    spoiler && h('span', { class: 'spoiler-word' }, 'Spoiler'),
  );
}

/** Create a gallery of one to ten images; `items` are Discord's: `media`, `description`, `spoiler`. */
export function gallery(items) {
  return h(
    'div',
    { class: `gallery gallery-${Math.min(items.length, 10)}` },
    items.map((item) => picture(item.media, item.description, item)),
  );
}

/** Create a download card for a file that is not an image. */
export function fileCard(name, bytes, address, spoiler = false) {
  const url = safeUrl(address);
  return h(
    'div',
    { class: `file-card ${spoiler ? 'spoiler' : ''}` },
    icon('file'),
    h(
      'span',
      { class: 'file-words' },
      url
        ? h('a', { class: 'link', href: url, download: name, target: '_blank', rel: 'noopener noreferrer' }, name)
        : name,
      h('span', { class: 'file-size' }, sizeText(bytes)),
    ),
    spoiler && h('span', { class: 'spoiler-word' }, 'Spoiler'),
  );
}

/** Render the files of a message: images together, then the rest. */
export function attachments(files) {
  const pictures = files.filter((file) => file.content_type?.startsWith('image/'));
  const others = files.filter((file) => !pictures.includes(file));
  const hidden = (file) => file.filename.startsWith('SPOILER_');
  return [
    pictures.length > 0 &&
      gallery(pictures.map((file) => ({ media: file, description: file.description, spoiler: hidden(file) }))),
    others.map((file) => fileCard(file.filename, file.size, file.url, hidden(file))),
  ];
}

/** Enlarges the images of a message, and follows edits of the message. */
export class Lightbox {
  #dialog;
  #stage = h('div', { class: 'lightbox-stage' });
  #caption = h('p', { class: 'lightbox-caption' });
  #images = [];
  #at = 0;
  #watch = new MutationObserver(() => this.#show());

  constructor(parent) {
    const close = h(
      'button',
      {
        class: 'icon-button lightbox-close',
        type: 'button',
        'aria-label': 'Close the picture',
        onclick: () => this.#dialog.close(),
      },
      icon('close'),
    );
    this.#dialog = h('dialog', { class: 'lightbox', 'aria-label': 'Picture' }, close, this.#stage, this.#caption);
    this.#dialog.addEventListener('click', (event) => {
      if (event.target === this.#dialog || event.target === this.#stage) this.#dialog.close();
    });
    this.#dialog.addEventListener('close', () => this.#watch.disconnect());
    this.#dialog.addEventListener('keydown', (event) => {
      if (event.key === 'ArrowRight') this.#turn(1);
      if (event.key === 'ArrowLeft') this.#turn(-1);
    });
    append(parent, this.#dialog);
  }

  /** Show `image`, one of the `<img>` elements in `images`. */
  show(image, images) {
    this.#images = images;
    this.#at = images.indexOf(image);
    this.#dialog.classList.remove('zoomed');
    this.#show();
    this.#dialog.showModal();
  }

  #turn(by) {
    const next = this.#at + by;
    if (next < 0 || next >= this.#images.length) return;
    this.#at = next;
    this.#dialog.classList.remove('zoomed');
    this.#show();
  }

  #show() {
    const source = this.#images[this.#at];
    this.#watch.disconnect();
    this.#watch.observe(source, { attributes: true });
    const old = this.#stage.querySelector('img');
    if (old?.src !== source.src) {
      const large = h('img', {
        src: source.src,
        alt: source.alt,
        width: source.getAttribute('width'),
        height: source.getAttribute('height'),
      });
      const zoom = h(
        'button',
        { class: 'lightbox-zoom', type: 'button', title: 'Zoom in or out', onclick: (event) => this.#zoom(event) },
        large,
      );
      this.#stage.replaceChildren(zoom);
    } else {
      old.alt = source.alt;
    }
    const place = this.#images.length > 1 ? `${this.#at + 1} of ${this.#images.length}. ` : '';
    this.#caption.textContent = `${place}${source.alt}`;
  }

  /** Zoom in on the point that was pressed. */
  #zoom(event) {
    const image = event.currentTarget.firstChild;
    const before = image.getBoundingClientRect();
    const [x, y] =
      event.detail === 0
        ? [0.5, 0.5]
        : [(event.clientX - before.left) / before.width, (event.clientY - before.top) / before.height];
    this.#dialog.classList.toggle('zoomed');
    const now = image.getBoundingClientRect();
    this.#stage.scrollTo(x * now.width - this.#stage.clientWidth / 2, y * now.height - this.#stage.clientHeight / 2);
  }
}
