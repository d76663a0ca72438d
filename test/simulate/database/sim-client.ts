import { EventEmitter } from 'node:events';
import type { ClientConfig, CustomTypesConfig, QueryResult } from 'pg';
import type { SimProcess } from '../kernel/sim-process';
import { currentKernel } from '../kernel/virtual-world';
import type { Backend, Outcome, Statement } from './backend';
import { currentDatabase } from './sim-database';

export interface Asked {
  readonly statement: Statement;
  readonly answer: (outcome: Outcome) => void;
}

type Callback = (error: Error | null, result?: QueryResult) => void;
const LOST = 'Connection terminated unexpectedly';
/** What node-postgres says behind `query_timeout`. */
const NO_ANSWER = 'Query read timeout';

/**
 * An instance's connection: as much of node-postgres's `Client` as its pool uses. A statement is sent, carried out and answered in events
 * of their own, and at each of them the line may be cut or the instance end.
 */
export class SimClient extends EventEmitter {
  readonly process: SimProcess;
  readonly queue: Asked[] = [];
  /** Carried out; the answer is on its way. */
  readonly unanswered = new Set<Asked>();
  answeredAtMs = 0;
  readonly types: CustomTypesConfig | undefined;
  readonly lockTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly queryTimeoutMs: number;
  /** For the transaction under way. */
  shortLockTimeoutMs: number | null = null;
  /** The server has let it in and has not ended it. */
  isOpen = false;
  /** While a statement or a transaction of its own is under way. */
  backend: Backend | null = null;
  isBlocked = false;
  /** The server hears nothing more of it, nor the client of the server: the session lasts until it has been idle too long. */
  isSilent = false;
  statements = 0;
  /** Names of the statements of the transaction under way. */
  ran: string[] = [];
  /** What the pool asks. */
  _queryable = true;
  _ending = false;
  /** What the hosts of a database listen to. */
  readonly connection = Object.assign(new EventEmitter(), { stream: { destroy: () => this.lose() } });
  private isLimited = false;
  private connected: ((error: Error | null) => void) | null = null;

  constructor(config: ClientConfig = {}) {
    super();
    const {
      lock_timeout: lockMs = 0,
      idle_in_transaction_session_timeout: idleMs = 0,
      query_timeout: queryMs = 0,
    } = config;
    this.types = config.types;
    this.lockTimeoutMs = lockMs;
    this.idleTimeoutMs = idleMs;
    this.queryTimeoutMs = queryMs;
    const { process } = currentKernel();
    if (!process) throw new Error('a connection of no instance');
    this.process = process;
  }

  connect(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.connected = (error) => (error ? reject(error) : resolve());
      currentDatabase().connect(this);
    });
  }

  /** @internal */
  opened(error: Error | null): void {
    const { connected } = this;
    this.connected = null;
    connected?.(error);
  }

  isConnected(): boolean {
    return this.isOpen;
  }

  query(asked: string | Statement, values?: unknown[] | Callback, callback?: Callback): Promise<QueryResult> | void {
    const given = typeof asked === 'string' ? { text: asked } : asked;
    const call = typeof values === 'function' ? values : callback;
    const statement = { ...given, types: this.types, ...(Array.isArray(values) && { values }) };
    if (call)
      return this.ask(statement, (outcome) => ('error' in outcome ? call(outcome.error) : call(null, outcome.result)));
    return new Promise((resolve, reject) => {
      this.ask(statement, (outcome) => ('error' in outcome ? reject(outcome.error) : resolve(outcome.result)));
    });
  }

  private ask(statement: Statement, answer: (outcome: Outcome) => void): void {
    if (!this._queryable || !this.isOpen) {
      process.nextTick(answer, { error: new Error('Client has encountered a connection error and is not queryable') });
      return;
    }
    const asked = { statement, answer };
    this.queue.push(asked);
    if (this.isSilent) this.limitSilence();
    else if (this.queue.length === 1) currentDatabase().next(this);
  }

  /** For what is under way, and else for what is asked first. */
  limitSilence(): void {
    const [first] = [...this.unanswered, ...this.queue];
    if (!first || this.isLimited || this.queryTimeoutMs === 0) return;
    this.isLimited = true;
    currentKernel().after(this.queryTimeoutMs, this.process, () => this.endSilence());
  }

  /** As node-postgres does when it pipelines: the first has waited too long, and all others go with the line. */
  private endSilence(): void {
    const [first] = [...this.unanswered, ...this.queue];
    if (!first) return;
    if (!this.unanswered.delete(first)) this.queue.shift();
    first.answer({ error: new Error(NO_ANSWER) });
    this.lose();
  }

  /** The line is cut: what was asked and not answered is lost, whatever has become of it. */
  lose(): void {
    if (!this._queryable) return;
    this._queryable = false;
    const lost = [...this.unanswered, ...this.queue.splice(0)];
    this.unanswered.clear();
    for (const { answer } of lost) answer({ error: new Error(LOST) });
    if (this.connected) this.opened(new Error(LOST));
    else if (!this._ending) this.emit('error', new Error(LOST));
    this.emit('end');
  }

  end(callback?: () => void): Promise<void> | void {
    this._ending = true;
    this._queryable = false;
    currentDatabase().leave(this);
    this.emit('end');
    if (!callback) return Promise.resolve();
    callback();
  }

  ref(): void {}
  unref(): void {}
}
