/** Values must not be changed in place: `StateLayer.edit` gives a copy to change. */
export interface StateReader {
  get(key: string): unknown;
  /** Every entry whose key begins with a prefix, in the order of keys. */
  entries(prefix: string): Map<string, unknown>;
}

/** What was changed on top of something else; `undefined` stands for taken away. */
export class StateLayer implements StateReader {
  readonly changes = new Map<string, unknown>();
  constructor(private readonly below: StateReader) {}

  get(key: string): unknown {
    return this.changes.has(key) ? this.changes.get(key) : this.below.get(key);
  }

  entries(prefix: string): Map<string, unknown> {
    const found = this.below.entries(prefix);
    for (const [key, value] of this.changes) {
      if (!key.startsWith(prefix)) continue;
      if (value === undefined) found.delete(key);
      else found.set(key, value);
    }
    return found;
  }

  put(key: string, value: unknown): void {
    this.changes.set(key, value);
  }

  delete(key: string): void {
    this.changes.set(key, undefined);
  }

  /** A copy of this layer's own, that may be changed in place. */
  edit(key: string): unknown {
    if (this.changes.has(key)) return this.changes.get(key);
    const value = copyOf(this.below.get(key));
    if (value !== undefined) this.changes.set(key, value);
    return value;
  }

  absorb(above: StateLayer): void {
    for (const [key, value] of above.changes) this.changes.set(key, value);
  }
}

/** Records are plain objects, lists and values. */
function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  // The platform's own copy, which costs ten times as much, does the values that are not plain.
  if (Object.getPrototypeOf(value) !== Object.prototype) return structuredClone(value);
  const copy: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) copy[name] = copyOf(field);
  return copy;
}
