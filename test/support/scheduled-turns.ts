import type { INestApplicationContext } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';

const RECONCILER = ['reconcile', 'reconcile-whole'] as const;

/**
 * Ends the reconciler's own turns in this instance, also one that is under way. A test that asks the schedule itself would find the claim
 * taken whenever a turn comes between.
 */
export async function stopReconcilerTurns(app: INestApplicationContext): Promise<void> {
  const registry = app.get(SchedulerRegistry);
  for (const name of RECONCILER) await registry.getCronJob(name).stop();
}

/** As above, of every schedule. */
export async function stopTurns(app: INestApplicationContext): Promise<void> {
  for (const job of app.get(SchedulerRegistry).getCronJobs().values()) await job.stop();
}
