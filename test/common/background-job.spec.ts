import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { BACKGROUND_WORK, BackgroundJob } from '../../src/common/background-job';
import { Clock } from '../../src/common/clock';
import { Shutdown } from '../../src/common/shutdown';
import { statement } from '../../src/database/statement';
import { DelegationSchedule } from '../../src/delegation/delegation.schedule';
import { PanelSchedule } from '../../src/panel/panel.schedule';
import { WindowSweep } from '../../src/rate-limit/window.sweep';
import { ReconcilerSchedule } from '../../src/reconciliation/reconciler.schedule';
import { MovableClock } from '../support/movable-clock';
import { createTestApp } from '../support/test-app';
import { stopTurns } from '../support/scheduled-turns';

/** What a job still needs, like the database. */
@Injectable()
class Connections implements OnApplicationShutdown {
  areOpen = true;

  onApplicationShutdown(): void {
    this.areOpen = false;
  }
}

const ONE = statement<[], { answer: number }>('test_late_work', 'select 1 as answer');

/** Work that begins when it is asked for and ends when it is let go. */
function heldWork(end: () => void | Promise<void>) {
  let letGo!: () => void;
  let begin!: () => void;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const work = async () => {
    begin();
    await gate;
    await end();
  };
  return { work, begun, letGo };
}

/** What does not wait for the job has come to its end by then. */
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe('a background job', () => {
  const start = (backgroundWork = true) =>
    Test.createTestingModule({
      providers: [Connections, BackgroundJob, Shutdown, { provide: BACKGROUND_WORK, useValue: backgroundWork }],
    }).compile();
  let warn: jest.SpyInstance;
  beforeEach(() => (warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined)));
  afterEach(() => warn.mockRestore());

  it('that fails is logged, throws nothing, and runs again', async () => {
    const job = (await start()).get(BackgroundJob);
    const error = new Error('no answer');
    let runs = 0;
    const work = async () => {
      runs++;
      if (runs === 1) throw error;
    };
    await job.run('The sweep', work);
    expect(warn.mock.calls).toEqual([[{ err: error, job: 'The sweep' }, 'The sweep failed; it runs again']]);
    await job.run('The sweep', work);
    expect(runs).toBe(2);
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('that throws before its first step fails like any other', async () => {
    const job = (await start()).get(BackgroundJob);
    await job.run('The sweep', () => {
      throw new Error('no answer');
    });
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('that the end of the service interrupts has not failed', async () => {
    const app = await start();
    const { signal } = app.get(Shutdown);
    const held = heldWork(() => signal.throwIfAborted());
    const run = app.get(BackgroundJob).run('The sweep', held.work);
    app.get(Shutdown).begin();
    held.letGo();
    await run;
    expect(warn).not.toHaveBeenCalled();
  });

  it('that fails while the service ends is logged, and the service ends all the same', async () => {
    const app = await start();
    const held = heldWork(() => Promise.reject(new Error('no answer')));
    void app.get(BackgroundJob).run('The sweep', held.work);
    const closed = app.close();
    held.letGo();
    await closed;
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('is waited for before anything that it needs is closed', async () => {
    const app = await start();
    const connections = app.get(Connections);
    const wereOpen: boolean[] = [];
    const jobs = [1, 2].map(() => heldWork(() => void wereOpen.push(connections.areOpen)));
    for (const { work } of jobs) void app.get(BackgroundJob).run('The sweep', work);
    const closed = app.close();
    for (const { begun, letGo } of jobs) {
      await begun;
      await someTurns();
      letGo();
    }
    await closed;
    expect(wereOpen).toEqual([true, true]);
    expect(connections.areOpen).toBe(false);
  });

  it('is not begun once the service ends', async () => {
    const app = await start();
    app.get(Shutdown).begin();
    const work = jest.fn();
    await app.get(BackgroundJob).run('The sweep', work);
    expect(work).not.toHaveBeenCalled();
  });

  it('is not begun where background work is off', async () => {
    const work = jest.fn();
    await (await start(false)).get(BackgroundJob).run('The sweep', work);
    expect(work).not.toHaveBeenCalled();
  });

  it('in the service still has the database while the service ends', async () => {
    const service = await createTestApp();
    const answers: unknown[] = [];
    const held = heldWork(async () => {
      answers.push(...(await service.orm.em.fork().execute('select 1 as answer')));
      answers.push(await service.sql.row(ONE));
    });
    const run = service.app.get(BackgroundJob).run('The late work', held.work);
    await held.begun;
    const { signal } = service.app.get(Shutdown);
    const ending = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    const closed = service.close();
    await ending;
    await someTurns();
    held.letGo();
    await run;
    await closed;
    expect(answers).toEqual([{ answer: 1 }, { answer: 1 }]);
  });

  it('is what every schedule runs', async () => {
    const clock = new MovableClock();
    const service = await createTestApp({
      env: { RATE_LIMIT_STORE: 'postgres' },
      backgroundWork: false,
      overrides: (builder) => builder.overrideProvider(Clock).useValue(clock),
    });
    const { app } = service;
    // Their own turn would count too, or have the next one wait.
    await stopTurns(app);
    clock.advance(3_600_000);
    const run = jest.spyOn(app.get(BackgroundJob), 'run');
    await app.get(DelegationSchedule).sweep();
    await app.get(DelegationSchedule).recover();
    await app.get(ReconcilerSchedule).reconcile();
    await app.get(PanelSchedule).sweep();
    await app.get(WindowSweep).sweep();
    expect(run).toHaveBeenCalledTimes(5);
    expect(new Set(run.mock.calls.map(([name]) => name)).size).toBe(5);
    await service.close();
  });
});
