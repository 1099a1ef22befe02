// The line to the sandbox: frames out and in, questions matched with their answers by number, and reconnecting without
// being asked. Imports nothing.

const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 4_000;
const SHORT_ANSWER_MS = 15_000;
const LOST = 'The connection to the sandbox was lost';

/**
 * `onframe(frame)` gets every frame that answers no question or that concerns more than its asker;
 * `onopen()` and `onlost()` tell of the line itself.
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

  /** Send a frame; whether the line was there to take it. */
  send(frame) {
    if (!this.open) return false;
    this.#line.send(JSON.stringify(frame));
    return true;
  }

  /**
   * Send a frame that expects an answer. `handlers` may have `pending`, `answered`, `failed` and `choices`, each called
   * with the frame; `failed` also when the line breaks. Returns the question's number.
   */
  ask(frame, handlers) {
    this.#number += 1;
    const number = this.#number;
    this.#asked.set(number, handlers);
    if (!this.send({ ...frame, n: number })) {
      this.#asked.delete(number);
      handlers.failed?.({ op: 'failed', n: number, reason: LOST });
    } else if (frame.op === 'say') {
      // What was said comes back as a message; only a refusal is an answer.
      setTimeout(() => this.#asked.delete(number), SHORT_ANSWER_MS);
    }
    return number;
  }

  /** What was asked until now no longer matters: somebody else plays. */
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
