import { EventQueue, type QueuedEvent } from './event-queue';
import { ProcessTimers } from './process-timers';
import { real } from './real-world';
import type { Scheduled } from './virtual-timer';

interface DueEvent extends QueuedEvent, Scheduled {
  readonly work: () => void;
}

/** The clocks and timers of this process: they stand at one instant, in whole milliseconds, until they are moved on to the next timer. */
export class VirtualTimers {
  nowMs = Math.floor(real.Date.now());
  /** How often a timer was set. */
  set = 0;
  private readonly beganMs = this.nowMs;
  private readonly beganAt = Math.floor(real.performanceNow());
  private readonly queue = new EventQueue<DueEvent>();
  private readonly shared = ProcessTimers.of();

  begin(end: () => void): void {
    this.shared.end = end;
    this.shared.schedule = (ms, work) => {
      const event = { atMs: this.nowMs + ms, order: this.set++, work, cancelled: false };
      this.queue.push(event);
      return event;
    };
    globalThis.Date = this.dateOfNow();
    performance.now = () => this.beganAt + this.nowMs - this.beganMs;
  }

  /** Real clocks and timers are back; the timers that are set go on in real time. */
  end(): void {
    this.shared.schedule = null;
    this.shared.end = () => undefined;
    globalThis.Date = real.Date;
    real.Date.prototype.constructor = real.Date;
    performance.now = real.performanceNow;
    for (let event = this.next(); event; event = this.next()) this.leave(event);
  }

  /** The event happens in real time. */
  leave(event: DueEvent): void {
    real.setTimeout(() => event.cancelled || event.work(), event.atMs - this.nowMs).unref();
  }

  /** Grows with what happens in this process and shows as no event of the system. */
  get happened(): number {
    return this.set + this.shared.immediates;
  }

  /** The timer that is due first, taken out; undefined: none is set. */
  next(): DueEvent | undefined {
    for (;;) {
      const event = this.queue.pop();
      if (!event?.cancelled) return event;
    }
  }

  /** Both classes have one prototype, so `instanceof` takes the dates of each for the dates of the other. */
  private dateOfNow(): DateConstructor {
    const { Date: RealDate } = real;
    const now = () => this.nowMs;
    function VirtualDate(...values: unknown[]): Date | string {
      if (!new.target) return new RealDate(now()).toString();
      const target = new.target === (VirtualDate as unknown) ? RealDate : new.target;
      return Reflect.construct(RealDate, values.length === 0 ? [now()] : values, target) as Date;
    }
    Object.setPrototypeOf(VirtualDate, RealDate);
    const replaced = Object.assign(VirtualDate, { now, prototype: RealDate.prototype }) as unknown as DateConstructor;
    RealDate.prototype.constructor = replaced;
    return replaced;
  }
}
