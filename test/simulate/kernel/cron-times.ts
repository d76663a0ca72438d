import { createRequire } from 'node:module';
import type { CronTime as Time } from 'cron';

type WorkOut = (this: Time, start: Parameters<Time['getNextDateFrom']>[0]) => ReturnType<Time['getNextDateFrom']>;

// The schedule's own, wherever it is installed.
const load = createRequire(require.resolve('@nestjs/schedule'));
export const { CronTime } = load('cron') as { CronTime: typeof Time };

/**
 * When a job is due next is worked out by the calendar: a tenth of what a history costs, for a few thousand answers that all histories
 * share, because they begin at the same time.
 */
export function rememberCronTimes(): void {
  const times = CronTime.prototype as unknown as { getNextDateFrom: WorkOut };
  const workOut = times.getNextDateFrom;
  const known = new Map<string, ReturnType<WorkOut>>();
  times.getNextDateFrom = function remembered(start) {
    const { source, timeZone = '' } = this as unknown as { source: string; timeZone?: string };
    const at = `${source} ${timeZone} ${Math.floor(start.valueOf() / 1000)}`;
    const next = known.get(at) ?? workOut.call(this, start);
    known.set(at, next);
    return next;
  };
}
