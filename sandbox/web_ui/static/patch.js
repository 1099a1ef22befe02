// Updating an element in place, so that focus, scroll position and images survive an edit.
// Imports nothing.

/**
 * Make `old` look like `fresh` and return the element that is now in the page.
 *
 * Children with `data-key` are matched by it, others in order and by tag. Listeners are not carried over: what is
 * patched must be handled by delegation.
 */
export function patch(old, fresh) {
  if (old.nodeName !== fresh.nodeName || old.dataset.key !== fresh.dataset.key) {
    old.replaceWith(fresh);
    return fresh;
  }
  if (old.nodeName === 'IMG') patchPicture(old, fresh);
  else patchAttributes(old, fresh);
  patchChildren(old, fresh);
  return old;
}

function patchAttributes(old, fresh) {
  // A spoiler that the reader has revealed stays revealed while its content is the same.
  const uncovered = old.classList.contains('uncovered') && !hidesOther(old, fresh);
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (uncovered) old.classList.add('uncovered');
}

function hidesOther(old, fresh) {
  const sources = (element) =>
    [...element.querySelectorAll('img')].map((image) => image.dataset.source ?? image.src).join();
  return old.textContent !== fresh.textContent || sources(old) !== sources(fresh);
}

/** Keep the old image until the new one is decoded, so that nothing flickers or moves. */
function patchPicture(old, fresh) {
  const source = fresh.getAttribute('src');
  if ((old.dataset.source ?? old.getAttribute('src')) === source) {
    if (!old.dataset.source) patchAttributes(old, fresh);
    return;
  }
  old.dataset.source = source;
  const show = () => {
    if (old.dataset.source !== source) return; // a newer image has been requested meanwhile
    patchAttributes(old, fresh);
  };
  const coming = new Image();
  coming.src = source;
  coming.decode().then(show, show);
}

function patchChildren(old, fresh) {
  const keyed = new Map();
  const plain = [];
  for (const child of old.childNodes) {
    if (child.dataset?.key) keyed.set(child.dataset.key, child);
    else plain.push(child);
  }
  let cursor = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    const key = child.dataset?.key;
    let match;
    if (key) {
      match = keyed.get(key);
      keyed.delete(key);
    } else {
      const at = plain.findIndex((each) => each.nodeName === child.nodeName);
      if (at >= 0) match = plain.splice(at, 1)[0];
    }
    if (!match) {
      old.insertBefore(child, cursor);
      continue;
    }
    if (match === cursor) cursor = cursor.nextSibling;
    else old.insertBefore(match, cursor);
    if (match.nodeType === Node.ELEMENT_NODE) patch(match, child);
    else if (match.nodeValue !== child.nodeValue) match.nodeValue = child.nodeValue;
  }
  for (const left of [...keyed.values(), ...plain]) left.remove();
}
