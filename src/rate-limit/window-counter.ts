export interface OpenWindow {
  /** With the one that was just added. */
  readonly calls: number;
  readonly msLeft: number;
}

/** Counts the calls of each key in windows that begin with their first call. */
export interface WindowCounter {
  /** Adds a call to the key's window; one of `windowMs` begins now if none is open. */
  add(key: string, windowMs: number): Promise<OpenWindow>;
  /** Takes a call out of the window that counted it. A window with more than `msLeft` to go began later, and keeps its calls. */
  takeBack(key: string, msLeft: number): Promise<void>;
}
