/** Work of one key runs one after another, in the order it came; other keys are not held up, nor is work without a key. */
export class KeyedQueue {
  private readonly tails = new Map<string, Promise<unknown>>();

  async run<T>(key: string | null, work: () => Promise<T>): Promise<T> {
    if (key === null) return work();
    const turn = (this.tails.get(key) ?? Promise.resolve()).then(work);
    const tail = turn.catch(() => undefined);
    this.tails.set(key, tail);
    try {
      return await turn;
    } finally {
      if (this.tails.get(key) === tail) this.tails.delete(key);
    }
  }
}
