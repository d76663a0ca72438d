/** Calls on every `intervalMs`, as near as a busy process can: a late call does not delay the ones after it. */
export class BlockTimer {
  private timer: NodeJS.Timeout;
  private next: number;
  constructor(
    private readonly intervalMs: number,
    private readonly work: () => void,
  ) {
    this.next = Date.now() + intervalMs;
    this.timer = setTimeout(() => this.fire(), intervalMs);
  }

  private fire(): void {
    this.work();
    this.next = Math.max(this.next + this.intervalMs, Date.now());
    this.timer = setTimeout(() => this.fire(), this.next - Date.now());
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
