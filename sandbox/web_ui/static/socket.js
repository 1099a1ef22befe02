// The connection to the sandbox: frames in both directions, requests matched to responses by number, and automatic
// reconnection. Imports nothing.

const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 4_000;
const SHORT_ANSWER_MS = 15_000;
const LOST = 'The connection to the sandbox was lost';

/**
 * `onframe(frame)` gets every frame that is not just the response to a request; `onopen()` and `onlost()` report the
 * connection's state.
 */
export class Socket {
  #address;
  #line = null;
  #wait = FIRST_WAIT_MS;
  #number = 0;
  #asked = new Map();
  #forgotten = 0;

  constructor(address, { onopen, onlost, onframe }) {
    this.#address = address;
    this.onopen = onopen;
    this.onlost = onlost;
    this.onframe = onframe;
  }

  get open() {
    return this.#line?.readyState === WebSocket.OPEN;
  }

  connect() {
    const line = new WebSocket(this.#address);
    this.#line = line;
    line.addEventListener('open', () => {
      this.#wait = FIRST_WAIT_MS;
      this.onopen();
    });
    line.addEventListener('message', (event) => this.#take(JSON.parse(event.data)));
    line.addEventListener('close', () => {
      this.#abandon();
      this.onlost();
      setTimeout(() => this.connect(), this.#wait);
      this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS);
    });
  }

  /** Send a frame and return true if connected. */
  send(frame) {
    if (!this.open) return false;
    this.#line.send(JSON.stringify(frame));
    return true;
  }

  /**
   * Send a frame that expects a response. `handlers` may have `pending`, `answered`, `failed` and `choices`, each
   * called with the frame; `failed` also when the connection is lost. Return the request's number.
   */
  ask(frame, handlers) {
    this.#number += 1;
    const number = this.#number;
    this.#asked.set(number, handlers);
    if (!this.send({ ...frame, n: number })) {
      this.#asked.delete(number);
      handlers.failed?.({ op: 'failed', n: number, reason: LOST });
    } else if (frame.op === 'say') {
      // A posted message comes back as a message frame; only a refusal is a response.
      setTimeout(() => this.#asked.delete(number), SHORT_ANSWER_MS);
    }
    return number;
  }

  /** Drop all pending requests, since the user was switched. */
  forget() {
    this.#asked.clear();
    this.#forgotten = this.#number;
  }

  #take(frame) {
    if (frame.n <= this.#forgotten) return;
    const handlers = this.#asked.get(frame.n);
    if (handlers) {
      if (frame.op !== 'pending') this.#asked.delete(frame.n);
      handlers[frame.op]?.(frame);
    }
    this.onframe(frame);
  }

  #abandon() {
    const waiting = [...this.#asked];
    this.#asked.clear();
    for (const [number, handlers] of waiting) handlers.failed?.({ op: 'failed', n: number, reason: LOST });
  }
}
