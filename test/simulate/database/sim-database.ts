import { hash } from 'node:crypto';
import type { Kernel } from '../kernel/kernel';
import type { SimProcess } from '../kernel/sim-process';
import { type Backend, type Outcome, refusal, type Statement } from './backend';
import type { Machine } from './machine';
import type { Sprung } from '../world/traps';
import type { Asked, SimClient } from './sim-client';

/** Where a line may be cut, or an instance end, around a statement. */
export type StatementPoint = 'before' | 'after';
/** Says what is to happen at this point of this statement. */
export type StatementWatch = (client: SimClient, name: string, point: StatementPoint) => Sprung | null;

const SHORT_LOCK = /set_config\('lock_timeout', '(\d+)ms', true\)/;
const LEAVES_A_TRANSACTION = new Set(['COMMIT', 'ROLLBACK']);
const TOO_MANY_CONNECTIONS = '53300';
/** What was on its way when a line went may still come in, so much later. */
const LATEST_MS = 25_000;

let database: SimDatabase | null = null;

function enterDatabase(entered: SimDatabase): void {
  database = entered;
}

export function currentDatabase(): SimDatabase {
  return database!;
}

/** The server as the instances reach it: one statement at a time, in the order that the kernel has them come in. */
export class SimDatabase {
  isAway = false;
  /** It takes no further connection. */
  isFull = false;
  /** It does not even say so. */
  isSilent = false;
  /** How far its clock is off. */
  clockOffMs = 0;
  watch: StatementWatch = () => null;
  kill: (process: SimProcess) => void = () => undefined;
  met: (what: string) => void = () => undefined;
  private readonly clients = new Set<SimClient>();
  private blocked: SimClient[] = [];

  private readonly free: Backend[];
  private readonly open: () => Promise<Backend>;

  constructor(
    private readonly kernel: Kernel,
    machine: Machine,
    private readonly isPrompt = false,
  ) {
    this.free = [...machine.backends];
    this.open = () => machine.open();
  }

  /** From now on the connections of instances lead here. */
  enter(): this {
    enterDatabase(this);
    return this;
  }

  private latencyMs(): number {
    const { schedule } = this.kernel;
    return !this.isPrompt && schedule.chance(0.01) ? schedule.between(5, 400) : schedule.between(0.1, 4);
  }

  connect(client: SimClient): void {
    this.kernel.after(this.latencyMs(), null, () => {
      if (client.process.dead) return;
      if (this.isSilent) return this.met('connection not answered');
      const refused = this.refusedBy();
      client.isOpen = refused === null;
      if (client.isOpen) this.clients.add(client);
      this.kernel.after(this.latencyMs(), client.process, () => client.opened(refused));
    });
  }

  private refusedBy(): Error | null {
    if (this.isAway) return Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    if (!this.isFull) return null;
    this.met('connection refused');
    return refusal(TOO_MANY_CONNECTIONS);
  }

  /** The first of what this client asked is on its way to the server. */
  next(client: SimClient): void {
    this.kernel.after(this.latencyMs(), null, () => this.carryOut(client));
  }

  private async carryOut(client: SimClient): Promise<void> {
    const [asked] = client.queue;
    if (!asked || !client.isOpen || client.isBlocked || client.isSilent) return;
    const { statement } = asked;
    const name = statement.name ?? statement.text;
    const what = await this.interrupted(client, name, 'before');
    if (typeof what === 'string') return;
    client.statements += 1;
    client.ran.push(name);
    if (what) return this.finish(client, await (await this.backendOf(client)).refuse(name, what.refusal));
    const short = SHORT_LOCK.exec(statement.text);
    if (short) {
      client.shortLockTimeoutMs = Number(short[1]);
      const result = { command: 'SELECT', rowCount: 1, rows: [{}], fields: [], oid: 0 };
      return this.finish(client, { result });
    }
    const outcome = await (await this.backendOf(client)).carryOut(statement, this.nowIso());
    if (outcome) return this.finish(client, outcome);
    this.kernel.log(`${client.process.name} waits ${name}`);
    client.isBlocked = true;
    this.blocked.push(client);
    this.limitWait(client, client.statements);
  }

  /**
   * A real connection is a client's for one statement or one transaction, as with a pooler by transaction: each has to plan a statement
   * for itself, and so a few serve all.
   */
  private async backendOf(client: SimClient): Promise<Backend> {
    return (client.backend ??= this.free.shift() ?? (await this.open()));
  }

  private giveBack(client: SimClient): void {
    if (!client.backend) return;
    this.free.push(client.backend);
    this.free.sort((a, b) => a.number - b.number);
    client.backend = null;
  }

  private nowIso(): string {
    return new Date(Math.floor(this.kernel.nowMs + this.clockOffMs)).toISOString();
  }

  private limitWait(client: SimClient, statement: number): void {
    const limitMs = client.shortLockTimeoutMs ?? client.lockTimeoutMs;
    if (limitMs === 0) return;
    this.kernel.after(limitMs, null, async () => {
      if (!client.isBlocked || client.statements !== statement) return;
      this.unblock(client);
      await this.finish(client, await client.backend!.giveUp());
    });
  }

  private unblock(client: SimClient): void {
    client.isBlocked = false;
    this.blocked = this.blocked.filter((other) => other !== client);
  }

  private async finish(client: SimClient, outcome: Outcome): Promise<void> {
    const asked = client.queue.shift()!;
    const name = asked.statement.name ?? asked.statement.text;
    this.kernel.log(`${client.process.name} ${name} ${brief(asked.statement.values)} ${describe(outcome)}`);
    const ended = 'result' in outcome && LEAVES_A_TRANSACTION.has(outcome.result.command);
    client.unanswered.add(asked);
    if (!client.isSilent && !(await this.interrupted(client, name, 'after'))) {
      this.answer(client, asked, outcome);
      if (client.queue.length > 0) this.next(client);
      this.limitIdleness(client, client.statements);
    }
    if (ended) client.shortLockTimeoutMs = null;
    if (!client.backend?.inTransaction) {
      this.giveBack(client);
      client.ran = [];
      await this.lookAtBlocked();
    } else if ('error' in outcome) {
      // What its transaction had locked is free, before its rollback.
      await this.lookAtBlocked();
    }
  }

  /** In the order of the statements, as one connection has it. */
  private answer(client: SimClient, asked: Asked, outcome: Outcome): void {
    client.answeredAtMs = Math.max(client.answeredAtMs, this.kernel.nowMs + this.latencyMs());
    this.kernel.after(client.answeredAtMs - this.kernel.nowMs, client.process, () => {
      if (!client.isSilent && client.unanswered.delete(asked)) asked.answer(outcome);
    });
  }

  private limitIdleness(client: SimClient, statement: number): void {
    if (!client.backend?.inTransaction || client.idleTimeoutMs === 0) return;
    this.kernel.after(client.idleTimeoutMs, null, async () => {
      if (client.statements === statement && client.queue.length === 0 && !client.isSilent) await this.cut(client);
    });
  }

  /** Those that wait, first come first served. */
  private async lookAtBlocked(): Promise<void> {
    for (const client of this.blocked.slice()) {
      if (!client.isBlocked) continue;
      const outcome = await client.backend!.look();
      if (!outcome) continue;
      this.unblock(client);
      await this.finish(client, outcome);
    }
  }

  private async interrupted(client: SimClient, name: string, point: StatementPoint): Promise<Sprung | null> {
    const what = this.watch(client, name, point);
    if (what === 'cut') await this.cut(client);
    if (what === 'silence') this.fallSilent(client);
    if (what === 'half-open') {
      this.fallSilent(client);
      this.kernel.after(this.latencyMs(), client.process, () => client.lose());
    }
    if (what === 'kill') {
      this.kill(client.process);
      await this.bury(client.process);
    }
    return what;
  }

  /** The server ends the session; the client learns of it a little later. */
  async cut(client: SimClient): Promise<void> {
    this.kernel.log(`${client.process.name} loses a connection`);
    await this.release(client);
    this.kernel.after(this.latencyMs(), client.process, () => client.lose());
  }

  /**
   * Nothing more is heard on either side. The server keeps the session, and what it holds, until it has been idle too long; what was sent
   * may come in before that: behind the client's time-out, and what it has looked up since.
   */
  private fallSilent(client: SimClient): void {
    if (client.isSilent || !client.isOpen) return;
    this.kernel.log(`${client.process.name} hears nothing more on a connection`);
    client.isSilent = true;
    client.limitSilence();
    const sent = client.queue.map(({ statement }) => statement);
    const { schedule } = this.kernel;
    if (sent.length > 0 && !client.isBlocked && schedule.chance(0.5))
      this.kernel.after(schedule.between(0, LATEST_MS), null, () => this.carryOutLate(client, sent));
    this.kernel.after(Math.max(client.idleTimeoutMs, LATEST_MS), null, () => this.release(client));
  }

  /** As far as nothing has to be waited for. */
  private async carryOutLate(client: SimClient, sent: readonly Statement[]): Promise<void> {
    if (!client.isOpen) return;
    await this.carryOutAll(client, sent, 'late');
    await this.release(client);
  }

  private async carryOutAll(client: SimClient, sent: readonly Statement[], how: 'late' | 'dead'): Promise<void> {
    for (const statement of sent) {
      if (SHORT_LOCK.test(statement.text)) continue;
      const outcome = await (await this.backendOf(client)).carryOut(statement, this.nowIso());
      const name = statement.name ?? statement.text;
      this.kernel.log(`${client.process.name} ${how} ${name} ${outcome ? describe(outcome) : 'waits'}`);
      client.isBlocked = outcome === null;
      if (!outcome) return;
      if (how === 'late' && 'result' in outcome && outcome.result.command === 'COMMIT') this.met('late commit');
    }
  }

  silenceAll(): void {
    for (const client of this.clients) this.fallSilent(client);
  }

  /** Any one of this process's. */
  async cutOne(process: SimProcess): Promise<void> {
    const own = [...this.clients].filter((client) => client.process === process);
    if (own.length > 0) await this.cut(this.kernel.schedule.pick(own));
  }

  async cutAll(): Promise<void> {
    for (const client of Array.from(this.clients)) await this.cut(client);
  }

  leave(client: SimClient): void {
    // On a silent line the server does not hear of it.
    if (client.isOpen && !client.isSilent) this.kernel.after(0, null, () => this.release(client));
  }

  /** Ends what a killed process has left: what it had sent may still be carried out, in order, up to any point. */
  async bury(process: SimProcess): Promise<void> {
    for (const client of [...this.clients].filter((one) => one.process === process)) {
      // The server does not hear of that either.
      if (client.isSilent) continue;
      const carriedOut = client.isBlocked ? 0 : this.kernel.schedule.below(client.queue.length + 1);
      const sent = client.queue.splice(0).slice(0, carriedOut);
      await this.carryOutAll(
        client,
        sent.map(({ statement }) => statement),
        'dead',
      );
      await this.release(client);
    }
  }

  private async release(client: SimClient): Promise<void> {
    if (!client.isOpen) return;
    const { isBlocked } = client;
    this.unblock(client);
    client.isOpen = false;
    this.clients.delete(client);
    await client.backend?.reset(isBlocked);
    this.giveBack(client);
    await this.lookAtBlocked();
  }

  async end(): Promise<void> {
    for (const client of Array.from(this.clients)) {
      client.queue.length = 0;
      await this.release(client);
    }
  }
}

/** What a statement was given or gave, so that two histories that differ in a value differ there. */
function brief(values: readonly unknown[] | undefined): string {
  if (!values || values.length === 0) return '-';
  const text = JSON.stringify(values, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
  return hash('md5', text).slice(0, 6);
}

function describe(outcome: Outcome): string {
  if ('error' in outcome) return `fails ${(outcome.error as { code?: string }).code ?? outcome.error.message}`;
  return `${outcome.result.command} ${outcome.result.rowCount ?? ''} ${brief(outcome.result.rows)}`;
}
