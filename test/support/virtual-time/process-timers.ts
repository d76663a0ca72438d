import { AsyncLocalStorage } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import promises from 'node:timers/promises';
import { promisify } from 'node:util';
import { real } from './real-world';
import { abortAfter, type Schedule, stop, VirtualTimer } from './virtual-timer';

type Call = (...values: unknown[]) => void;
type Timer = (call: Call, ms?: number, ...values: unknown[]) => unknown;

declare global {
  var processTimers: ProcessTimers | undefined;
}

const LONGEST_MS = 2 ** 31 - 1;

/**
 * Stands in front of the timers of a jest worker for the worker's life, so that code that keeps `setTimeout` in a variable, as Jest does
 * for its limits, meets virtual time too. While no virtual time runs, it passes all calls on to the real timers.
 */
export class ProcessTimers {
  /** Null: time is real. */
  schedule: Schedule | null = null;
  /** The worker calls it before the next spec file: a test that failed may have left its time running. */
  end: () => void = () => undefined;
  /** Calls of `setImmediate` so far: code that makes them is not at rest. */
  immediates = 0;

  /** One for each worker. */
  static of(): ProcessTimers {
    return (globalThis.processTimers ??= new ProcessTimers().install());
  }

  /** A timer that is left, or set again, after the end of virtual time runs in real time. */
  private readonly after: Schedule = (ms, work) => {
    if (this.schedule) return this.schedule(ms, work);
    const event = { cancelled: false };
    real.setTimeout(() => event.cancelled || work(), ms).unref();
    return event;
  };

  private install(): this {
    const replaced = {
      setTimeout: this.timerOf(globalThis.setTimeout, false),
      setInterval: this.timerOf(globalThis.setInterval, true),
      clearTimeout: stop(globalThis.clearTimeout),
      clearInterval: stop(globalThis.clearInterval),
      setImmediate: this.counted(globalThis.setImmediate),
    };
    this.passOnPromises(replaced);
    Object.assign(globalThis, replaced);
    Object.assign(timers, replaced);
    syncBuiltinESMExports();
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (ms) => (this.schedule ? abortAfter(ms) : timeout(ms));
    // Jest reports by it how long a test took.
    Object.assign(globalThis, { [Symbol.for('jest-native-now')]: real.Date.now });
    return this;
  }

  private timerOf(realOne: Timer, repeat: boolean): Timer {
    return (call, ms = 1, ...values) => {
      if (!this.schedule) return realOne(call, ms, ...values);
      const whole = ms >= 1 && ms <= LONGEST_MS ? Math.trunc(ms) : 1;
      // As in node: the call sees the stores of the code that has set the timer.
      const within = AsyncLocalStorage.snapshot();
      return new VirtualTimer(this.after, whole, repeat, () => within(call, ...values));
    };
  }

  private counted(realOne: typeof setImmediate): typeof setImmediate {
    const counting = (...given: Parameters<typeof setImmediate>) => {
      this.immediates += 1;
      return realOne(...given);
    };
    return Object.assign(counting, { [promisify.custom]: promisify(realOne), __promisify__: realOne.__promisify__ });
  }

  private passOnPromises(replaced: object): void {
    const wait = promises.setTimeout;
    const waiting = <T>(ms?: number, value?: T, options?: { signal?: AbortSignal }): Promise<T> =>
      this.schedule ? sleep(ms, value as T, options?.signal) : wait(ms, value as T, options);
    promises.setTimeout = waiting;
    Object.assign((replaced as { setTimeout: Timer }).setTimeout, { [promisify.custom]: waiting });
  }
}

function sleep<T>(ms: number | undefined, value: T, signal?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(
        Object.assign(new Error('The operation was aborted', { cause: signal!.reason }), {
          name: 'AbortError',
          code: 'ABORT_ERR',
        }),
      );
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve(value);
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
