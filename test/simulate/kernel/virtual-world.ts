import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { real } from '../../support/virtual-time/real-world';
import { abortAfter, type Schedule, stop, VirtualTimer } from '../../support/virtual-time/virtual-timer';
import { rememberCronTimes } from './cron-times';
import { BEGINNING_MS, type Kernel } from './kernel';

let kernel: Kernel | null = null;

/** The history under way. */
export function currentKernel(): Kernel {
  if (!kernel) throw new Error('no history is under way');
  return kernel;
}

export function enter(entered: Kernel | null): void {
  kernel = entered;
}

/** A process's own clock may be off; the world's (the chain's, the receivers') is right. */
function wallMs(): number {
  return kernel ? Math.floor(kernel.nowMs + (kernel.process?.clockOffMs ?? 0)) : real.Date.now();
}

class VirtualDate extends real.Date {
  constructor(...values: unknown[]) {
    if (values.length === 0) super(wallMs());
    else super(...(values as [number]));
  }

  static override now(): number {
    return wallMs();
  }
}

type Call = (...values: unknown[]) => void;
type Timer = (call: Call, ms?: number, ...values: unknown[]) => unknown;

const schedule: Schedule = (ms, work) => kernel!.after(ms, kernel!.process, work);

/** Virtual for instances; the simulator itself and its real connections keep the real ones. */
function timerOf(realOne: Timer, repeat: boolean, least: number): Timer {
  return (call, ms = 0, ...values) =>
    kernel?.process
      ? new VirtualTimer(schedule, Math.max(least, ms || 0), repeat, () => call(...values))
      : realOne(call, ms, ...values);
}

function seededBytes<T extends ArrayBufferView | null>(bytes: T): T {
  const view = bytes as ArrayBufferView;
  kernel!.entropy.writeInto(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  return bytes;
}

export function seededUuid(timeMs?: number): string {
  const bytes = seededBytes(Buffer.alloc(16));
  if (timeMs !== undefined) {
    // As the package does: those of one millisecond sort as they were made.
    bytes.writeUIntBE(timeMs, 0, 6);
    bytes.writeUInt16BE(kernel!.ids++ & 0x0fff, 6);
  }
  bytes[6] = (bytes[6]! & 0x0f) | (timeMs === undefined ? 0x40 : 0x70);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Once, before anything of the service is loaded. While no history is under way, everything is as it was. */
export function installVirtualWorld(): void {
  Object.assign(globalThis, {
    Date: VirtualDate,
    setTimeout: timerOf(globalThis.setTimeout as unknown as Timer, false, 1),
    setInterval: timerOf(globalThis.setInterval as unknown as Timer, true, 1),
    setImmediate: (
      (realOne) =>
      (call: Call, ...values: unknown[]) =>
        kernel?.process ? new VirtualTimer(schedule, 0, false, () => call(...values)) : realOne(call, ...values)
    )(globalThis.setImmediate),
    clearTimeout: stop(globalThis.clearTimeout as (timer: never) => void),
    clearInterval: stop(globalThis.clearInterval as (timer: never) => void),
    clearImmediate: stop(globalThis.clearImmediate as (timer: never) => void),
  });
  performance.now = () => (kernel ? kernel.nowMs - BEGINNING_MS + 1_000 : real.performanceNow());
  const random = Math.random.bind(Math);
  Math.random = () => (kernel ? kernel.entropy.float() : random());
  AbortSignal.timeout = virtualTimeout(AbortSignal.timeout.bind(AbortSignal));
  seedCrypto();
  rememberCronTimes();
}

function virtualTimeout(realOne: (ms: number) => AbortSignal): (ms: number) => AbortSignal {
  return (ms) => (kernel?.process ? abortAfter(ms) : realOne(ms));
}

function seedCrypto(): void {
  const own = crypto as unknown as Record<string, (...values: never[]) => unknown>;
  const before = { ...own };
  const seeded = (name: string, byKernel: (...values: never[]) => unknown) => {
    own[name] = (...values: never[]) => (kernel ? byKernel(...values) : before[name]!(...values));
  };
  seeded('randomBytes', (size: number) => seededBytes(Buffer.alloc(size)));
  seeded('randomUUID', () => seededUuid());
  seeded('randomInt', (low: number, high?: number) =>
    high === undefined ? kernel!.entropy.below(low) : low + kernel!.entropy.below(high - low),
  );
  const web = globalThis.crypto;
  const realValues = web.getRandomValues.bind(web);
  const realUuid = web.randomUUID.bind(web);
  web.getRandomValues = <T extends ArrayBufferView>(bytes: T) =>
    kernel ? seededBytes(bytes) : realValues(bytes as never);
  web.randomUUID = () => (kernel ? (seededUuid() as ReturnType<typeof realUuid>) : realUuid());
  syncBuiltinESMExports();
}
