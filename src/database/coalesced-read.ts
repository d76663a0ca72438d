/** One reading for all who ask in the same turn of the event loop; it begins after each of them has asked. */
export class CoalescedRead<T> {
  private next: Promise<T> | null = null;

  constructor(private readonly read: () => Promise<T>) {}

  get(): Promise<T> {
    this.next ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      this.next = null;
      return this.read();
    });
    return this.next;
  }
}
