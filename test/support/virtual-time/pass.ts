import { performance } from 'node:perf_hooks';
import type { BusyClients } from './busy-clients';
import { real } from './real-world';
import type { VirtualTimers } from './virtual-timers';

/** Turns of the event loop in which nothing may happen: code can go on for a few of them without anything that shows. */
const QUIET_TURNS = 50;
/** Between two looks, while other processes work or no timer is set: the processor is theirs. */
const PAUSE_MS = 1;
/** In real time: a loop that never pauses lets no time pass, so none of Jest's limits would end it. */
const LONGEST_MS = 60_000;

/** Moves time from timer to timer. The next one fires once all that follows from the last one has come to rest. */
export async function pass(
  timers: VirtualTimers,
  busy: BusyClients,
  moveTo: (nowMs: number) => Promise<void>,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    await untilAtRest(timers, busy, isOver);
    const event = isOver() ? undefined : timers.next();
    if (!event) {
      await real.pause(PAUSE_MS);
      continue;
    }
    if (event.atMs > timers.nowMs) await moveTo(event.atMs);
    if (isOver()) timers.leave(event);
    // In a turn of its own, as in node: an error that it throws ends the process, not this loop.
    else await turn(() => event.cancelled || event.work());
  }
}

async function untilAtRest(timers: VirtualTimers, busy: BusyClients, isOver: () => boolean): Promise<void> {
  const giveUpMs = real.performanceNow() + LONGEST_MS;
  for (let quiet = 0; quiet < QUIET_TURNS && !isOver();) {
    if (real.performanceNow() > giveUpMs) throw new Error('time stood still: something went on without a pause');
    const before = happened(timers);
    await turn();
    quiet = happened(timers) === before ? quiet + 1 : 0;
    // The look in the first turn spares the other turns while a statement takes its time.
    if (quiet === 1 && (await busy.look())) await turn();
    if ((quiet === 1 || quiet === QUIET_TURNS) && busy.isBusy()) {
      quiet = 0;
      await real.pause(PAUSE_MS);
    }
  }
}

/** Grows with each event of the system, each timer that is set and each `setImmediate`. */
function happened(timers: VirtualTimers): number {
  return performance.nodeTiming.uvMetricsInfo.events + timers.happened;
}

function turn(work?: () => void): Promise<void> {
  return new Promise((resolve) => {
    real.setImmediate(() => {
      resolve();
      work?.();
    });
  });
}
