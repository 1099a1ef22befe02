// The browser's Back and Forward lead from channel to channel and never out of the page. Imports nothing.

/**
 * `go(place)` is called when the reader has gone back or forth. A place is what `visit` was given.
 *
 * Browsers skip entries that a page made without a touch or key of the reader, so the entry that catches Back is made
 * at the first of them.
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

  /** The reader is somewhere else now. */
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
    history.pushState({ place: this.#here }, ''); // the floor: nothing of the page lies below it
    this.#caught = false;
  }
}
