/** The newest values of the most used keys; what was not used for longest goes first. */
export class ValueCache {
  private readonly values = new Map<string, unknown>();
  constructor(private readonly capacity: number) {}

  has(key: string): boolean {
    return this.values.has(key);
  }
  get(key: string): unknown {
    const value = this.values.get(key);
    this.values.delete(key);
    this.values.set(key, value);
    return value;
  }
  set(key: string, value: unknown): void {
    this.values.delete(key);
    this.values.set(key, value);
    if (this.values.size > this.capacity) this.values.delete(this.values.keys().next().value!);
  }
  clear(): void {
    this.values.clear();
  }
}
