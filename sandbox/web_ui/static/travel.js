// The browser's Back and Forward buttons, which move between channels and never leave the page. Imports nothing.

/**
 * `go(place)` is called when the reader goes back or forward. A place is what was passed to `visit`.
 *
 * Browsers skip history entries that a page added without a user gesture, so the entry that catches Back is added at
 * the first gesture.
 */
export class Travel {
  #go;
  #here = null;
  #caught = false;

  constructor(go) {
    this.#go = go;
    history.replaceState({ floor: true }, '');
    window.addEventListener('popstate', (event) => this.#popped(event.state));
    for (const kind of ['pointerdown', 'keydown']) window.addEventListener(kind, () => this.#catch(), true);
  }

  /** Record that the reader has moved to another place. */
  visit(place) {
    const same = this.#here && place.channel === this.#here.channel && place.tab === this.#here.tab;
    this.#here = place;
    if (same) return;
    if (this.#caught) history.pushState({ place }, '');
  }

  #catch() {
    if (this.#caught) return;
    this.#caught = true;
    history.pushState({ place: this.#here }, '');
  }

  #popped(state) {
    if (state?.place) {
      this.#here = state.place;
      this.#go(state.place);
      return;
    }
    history.pushState({ place: this.#here }, ''); // the lowest entry of the page
    this.#caught = false;
  }
}
