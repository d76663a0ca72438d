export interface Scheduled {
  cancelled: boolean;
}
export type Schedule = (ms: number, work: () => void) => Scheduled;

/** What `setTimeout` and the like give: as much of node's object as anybody uses. */
export class VirtualTimer {
  private event: Scheduled;

  constructor(
    private readonly schedule: Schedule,
    private readonly ms: number,
    private readonly repeat: boolean,
    private readonly call: () => void,
  ) {
    this.event = this.start();
  }

  private start(): Scheduled {
    return this.schedule(this.ms, () => {
      if (this.repeat) this.event = this.start();
      this.call();
    });
  }

  close(): this {
    this.event.cancelled = true;
    return this;
  }
  refresh(): this {
    this.close();
    this.event = this.start();
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
  [Symbol.dispose](): void {
    this.close();
  }
}

/** In the place of `clearTimeout` and the like. */
export function stop(realOne: (timer: never) => void): (timer: unknown) => void {
  return (timer) => (timer instanceof VirtualTimer ? void timer.close() : realOne(timer as never));
}

/** In the place of `AbortSignal.timeout`, whose timer is out of reach. */
export function abortAfter(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new DOMException('timed out', 'TimeoutError')), ms);
  return controller.signal;
}
