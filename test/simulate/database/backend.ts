import {
  Client,
  type CustomTypesConfig,
  DatabaseError,
  type QueryConfig,
  type QueryResult,
  type QueryResultRow,
} from 'pg';
import { CorkedSocket } from '../../../src/database/corked-socket';
import { real } from '../../support/virtual-time/real-world';

export interface Statement {
  readonly name?: string | undefined;
  readonly text: string;
  readonly values?: unknown[] | undefined;
  readonly types?: CustomTypesConfig | undefined;
}

export type Outcome = { readonly result: QueryResult } | { readonly error: Error };

/** What the server calls them; the worker's process follows. */
export const SESSIONS = 'simulate in ';
/** Long enough for the server to have looked for a deadlock (`deadlock_timeout` is a millisecond). */
const LOOK_MS = 3;

/** What may ask for the time: a statement that says so, or that writes, for the sake of defaults and triggers. */
const ASKS_FOR_TIME = /\bnow\(|_timestamp\(|\b(?:insert|update|delete|merge)\b/i;

const SET_TIME = {
  name: 'sim_set_time',
  text: `select set_config('sim.clock', $1, false), set_config('sim.transaction', $2, false)`,
};

/** A real connection. Sessions of instances borrow it, so that none has to be opened and its plans stay. */
export class Backend {
  inTransaction = false;
  private failed = false;
  private told = '';
  private begunAt = '';
  private outcome: Promise<Outcome> | null = null;
  private settled: Outcome | null = null;
  private isStopped = false;
  /** An answer about locks takes a millisecond, on a busy machine more, unless a session that is stopped keeps it from coming. */
  private mostLockedMs = 200;

  private constructor(
    readonly number: number,
    private readonly client: Client,
    private readonly pid: number,
    private readonly locks: Client,
  ) {}

  static async open(url: string, number: number, locks: Client): Promise<Backend> {
    const client = new Client({
      connectionString: url,
      application_name: `${SESSIONS}${process.pid}`,
      pipeline: true,
      // What the time is goes with the statement.
      stream: () => new CorkedSocket(),
    });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return new Backend(number, client, rows[0]!.pid, locks);
  }

  /** Null while it waits for somebody's lock: `look` tells later. */
  async carryOut(statement: Statement, nowIso: string): Promise<Outcome | null> {
    if (!this.inTransaction || this.begunAt === '') this.begunAt = nowIso;
    const time = `${nowIso} ${this.begunAt}`;
    if (time !== this.told && !this.failed && ASKS_FOR_TIME.test(statement.text)) {
      this.told = time;
      this.client.query({ ...SET_TIME, values: [nowIso, this.begunAt] }).catch(() => undefined);
    }
    this.settled = null;
    this.outcome = this.client.query<QueryResultRow>(statement as QueryConfig).then(
      (result) => (this.settled = { result }),
      (error: Error) => this.afterAbort().then(() => (this.settled = { error })),
    );
    return this.await();
  }

  /** The server tells an error before it gives up the locks: others would find them given up or not, by chance. */
  private async afterAbort(): Promise<void> {
    await this.client.query('').catch(() => undefined);
  }

  /** Outcome of a statement that waits for a lock, once a session has given up some: null while nothing has changed for it. */
  async look(): Promise<Outcome | null> {
    if (await this.isBlocked()) return null;
    this.goOn();
    return this.await();
  }

  /** What became of the statement; null while it waits for a lock that no running session will give up. */
  private async await(): Promise<Outcome | null> {
    for (let blocked = 0; ;) {
      await Promise.race([this.outcome, real.pause(LOOK_MS)]);
      if (this.settled) return this.note(this.settled);
      blocked = (await this.isBlocked()) ? blocked + 1 : 0;
      if (blocked > 1 && (await this.stop())) return null;
    }
  }

  /**
   * Several may wait for one commit, and the system has them go on in any order: each is stopped until it is its turn. False when it held
   * what others need just then.
   */
  private async stop(): Promise<boolean> {
    process.kill(this.pid, 'SIGSTOP');
    this.isStopped = true;
    const blocked = this.isBlocked();
    if (await Promise.race([blocked, real.pause(this.mostLockedMs)])) return true;
    this.goOn();
    this.mostLockedMs *= 2;
    await blocked;
    return false;
  }

  private goOn(): void {
    if (this.isStopped) process.kill(this.pid, 'SIGCONT');
    this.isStopped = false;
  }

  private note(outcome: Outcome): Outcome {
    if ('error' in outcome) {
      this.failed = this.inTransaction;
      if (this.failed) this.told = '';
      return outcome;
    }
    const { command } = outcome.result;
    if (command === 'BEGIN') this.inTransaction = true;
    if (command === 'COMMIT' || command === 'ROLLBACK') {
      this.inTransaction = this.failed = false;
      // A rollback takes the told time back as well.
      if (command === 'ROLLBACK') this.told = '';
    }
    return outcome;
  }

  private async isBlocked(): Promise<boolean> {
    const { rows } = await this.locks.query<{ blocked: boolean }>({
      name: 'sim_blocked',
      text: 'select cardinality(pg_blocking_pids($1)) > 0 as blocked',
      values: [this.pid],
    });
    return rows[0]!.blocked;
  }

  /** As the server refuses a statement: what its transaction has done is lost, and no other statement of it is carried out. */
  async refuse(name: string, code: string): Promise<Outcome> {
    if (name === 'commit') {
      this.note({ result: await this.client.query('rollback') });
      return { error: refusal(code) };
    }
    await this.client
      .query(`do $$ begin raise exception 'planned' using errcode = '${code}'; end $$`)
      .catch(() => undefined);
    return this.note({ error: refusal(code) });
  }

  /** Ends a wait for a lock, as `lock_timeout` would. */
  async giveUp(): Promise<Outcome> {
    this.goOn();
    await this.locks.query({ name: 'sim_cancel', text: 'select pg_cancel_backend($1)', values: [this.pid] });
    const outcome = await this.outcome!;
    return this.note('error' in outcome ? { error: lockTimeout(outcome.error) } : outcome);
  }

  /** As the server does when a session ends: what was not committed is gone. */
  async reset(isBlocked: boolean): Promise<void> {
    if (isBlocked) await this.giveUp();
    if (this.inTransaction) this.note({ result: await this.client.query('rollback') });
    this.told = '';
  }
}

/** As the server says it. */
export function refusal(code: string): Error {
  return Object.assign(new DatabaseError('refused, as planned', 0, 'error'), { code });
}

/** The server was asked to cancel; for the service, it was its own time-out. */
function lockTimeout(error: Error): Error {
  if ((error as DatabaseError).code !== '57014') return error;
  return Object.assign(new DatabaseError('canceling statement due to lock timeout', 0, 'error'), { code: '55P03' });
}
