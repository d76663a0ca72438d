/** One reading at a time. Who asks while one is under way shares the next, so that each gets one that began after it had asked. */
export class LatestRead<T> {
  private running: Promise<T> | null = null;
  private next: Promise<T> | null = null;

  constructor(private readonly read: () => Promise<T>) {}

  get(): Promise<T> {
    if (!this.running) return this.begin();
    const begin = () => this.begin();
    this.next ??= this.running.then(begin, begin);
    return this.next;
  }

  private begin(): Promise<T> {
    this.next = null;
    const reading = this.read().finally(() => {
      if (this.running === reading) this.running = null;
    });
    this.running = reading;
    return reading;
  }
}
