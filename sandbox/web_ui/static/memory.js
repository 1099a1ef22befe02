// What the browser remembers for the page: for a tab (which channel) or for good (the sound). Storage may be forbidden;
// then the page forgets and works on. Imports nothing.

const PREFIX = 'sandbox-';

/** The text kept under a key, or null. */
export function recall(store, key) {
  try {
    return window[store].getItem(PREFIX + key);
  } catch {
    return null;
  }
}

export function keep(store, key, text) {
  try {
    window[store].setItem(PREFIX + key, text);
  } catch {
    // nothing is lost but the memory
  }
}
