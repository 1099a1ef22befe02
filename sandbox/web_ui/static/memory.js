// The page's settings in the browser's storage: per tab (the channel) or permanently (the sound). Without storage the
// page works and forgets them. Imports nothing.

const PREFIX = 'sandbox-';

/** Return the stored text of a key, or null. */
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
    // the setting is not stored
  }
}
