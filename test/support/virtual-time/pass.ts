import { performance } from 'node:perf_hooks';
import type { BusyClients } from './busy-clients';
import { real } from './real-world';
import type { VirtualTimers } from './virtual-timers';

/** So many turns of the event loop without anything: more than a chain of calls takes between two things that show. */
const QUIET_TURNS = 50;
/** While others work, or nothing at all is waited for, the processor is theirs. */
const PAUSE_MS = 1;
/** In real time: a loop without a pause in it lets no time pass, and none of Jest's limits would end it. */
const LONGEST_MS = 60_000;

/** Moves time on, from timer to timer, each once all that follows from the last one has come to rest. */
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
    // From a turn of its own, as node does: what it throws is thrown at the process.
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
    // In the first turn too: no turns are spent on what takes longer.
    if ((quiet === 1 || quiet === QUIET_TURNS) && busy.isBusy()) {
      quiet = 0;
      await real.pause(PAUSE_MS);
    }
  }
}

/** Grows with each thing that happens in this process. */
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
