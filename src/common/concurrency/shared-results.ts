/** Results by key, each worked out once for all who want it; a failure is not kept. Of more than `most`, the oldest go. */
export class SharedResults {
  private readonly results = new Map<string, Promise<unknown>>();

  constructor(private readonly most: number) {}

  has(key: string): boolean {
    return this.results.has(key);
  }

  once<T>(key: string, work: () => Promise<T>): Promise<T> {
    const found = this.results.get(key) as Promise<T> | undefined;
    if (found) return found;
    if (this.results.size >= this.most) this.results.delete(this.results.keys().next().value!);
    const result = work();
    this.results.set(key, result);
    result.catch(() => {
      if (this.results.get(key) === result) this.results.delete(key);
    });
    return result;
  }
}
