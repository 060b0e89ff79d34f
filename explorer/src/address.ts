/** Address: the state in the part of the address after the hash, kept in step both ways. */

import { type State, type Store, fromHash, toHash } from "./state";

const WAIT = 150; // milliseconds: browsers allow few changes of the address, and each takes time

const hash = (): string => location.hash.replace(/^#/, "");

export class Address {
  private timer = 0;

  constructor(
    private readonly start: State,
    private readonly sound: (given: Partial<State>) => Partial<State>,
  ) {}

  /** What the address says now. */
  read(): Partial<State> {
    return this.sound(fromHash(hash(), this.start));
  }

  /** Write each change, and take over what people write there. */
  follow(store: Store): void {
    store.listen(() => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.write(store.state), WAIT);
    });
    addEventListener("hashchange", () => {
      if (hash() !== toHash(store.state, this.start)) store.set({ ...this.start, ...this.read() });
    });
  }

  private write(state: State): void {
    const text = toHash(state, this.start);
    if (hash() === text) return;
    try {
      history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
    } catch {
      // a page inside another may not change its address
    }
  }
}
