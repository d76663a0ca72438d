import { hash } from 'node:crypto';
import type { Kernel } from '../kernel/kernel';
import type { SimProcess } from '../kernel/sim-process';
import type { Backend, Outcome } from './backend';
import type { Machine } from './machine';
import type { Sprung } from '../world/traps';
import type { Asked, SimClient } from './sim-client';

/** Where a line may be cut, or an instance end, around a statement. */
export type StatementPoint = 'before' | 'after';
/** Says what is to happen at this point of this statement. */
export type StatementWatch = (client: SimClient, name: string, point: StatementPoint) => Sprung | null;

const SHORT_LOCK = /set_config\('lock_timeout', '(\d+)ms', true\)/;
const LEAVES_A_TRANSACTION = new Set(['COMMIT', 'ROLLBACK']);

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
  /** How far its clock is off. */
  clockOffMs = 0;
  watch: StatementWatch = () => null;
  kill: (process: SimProcess) => void = () => undefined;
  private readonly clients = new Set<SimClient>();
  private blocked: SimClient[] = [];

  private readonly free: Backend[];
  private readonly open: () => Promise<Backend>;

  constructor(
    private readonly kernel: Kernel,
    machine: Machine,
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
    return schedule.chance(0.01) ? schedule.between(5, 400) : schedule.between(0.1, 4);
  }

  connect(client: SimClient): void {
    this.kernel.after(this.latencyMs(), null, () => {
      if (client.process.dead) return;
      const code = this.isAway ? 'ECONNREFUSED' : this.isFull ? '53300' : null;
      client.isOpen = code === null;
      if (client.isOpen) this.clients.add(client);
      const refused = code === null ? null : Object.assign(new Error(`connect ${code}`), { code });
      this.kernel.after(this.latencyMs(), client.process, () => client.opened(refused));
    });
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
    if (what === 'silence') this.limitIdleness(client, client.statements);
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
    const what = await this.interrupted(client, name, 'after');
    if (!what) {
      this.answer(client, asked, outcome);
      if (client.queue.length > 0) this.next(client);
    }
    if (!what || what === 'silence') this.limitIdleness(client, client.statements);
    if (ended) client.shortLockTimeoutMs = null;
    if (!client.backend?.inTransaction) {
      this.giveBack(client);
      client.ran = [];
      await this.lookAtBlocked();
    }
  }

  /** In the order of the statements, as one connection has it. */
  private answer(client: SimClient, asked: Asked, outcome: Outcome): void {
    client.answeredAtMs = Math.max(client.answeredAtMs, this.kernel.nowMs + this.latencyMs());
    this.kernel.after(client.answeredAtMs - this.kernel.nowMs, client.process, () => {
      if (client.unanswered.delete(asked)) asked.answer(outcome);
    });
  }

  private limitIdleness(client: SimClient, statement: number): void {
    if (!client.backend?.inTransaction || client.idleTimeoutMs === 0) return;
    this.kernel.after(client.idleTimeoutMs, null, async () => {
      const isIdle = client.isSilent || client.queue.length === 0;
      if (client.isOpen && client.statements === statement && isIdle) await this.cut(client);
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
    if (what === 'silence') {
      this.kernel.log(`${client.process.name} hears nothing more on a connection`);
      client.fallSilent();
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

  /** Any one of this process's. */
  async cutOne(process: SimProcess): Promise<void> {
    const own = [...this.clients].filter((client) => client.process === process);
    if (own.length > 0) await this.cut(this.kernel.schedule.pick(own));
  }

  async cutAll(): Promise<void> {
    for (const client of Array.from(this.clients)) await this.cut(client);
  }

  leave(client: SimClient): void {
    // On a silent line the server does not hear of it: what it holds, it holds until it has been idle too long.
    if (client.isSilent && client.backend?.inTransaction) return;
    if (client.isOpen) this.kernel.after(0, null, () => this.release(client));
  }

  /** Of a process that was killed: what it had sent may still be carried out, in order, up to any point. */
  async bury(process: SimProcess): Promise<void> {
    for (const client of [...this.clients].filter((one) => one.process === process)) {
      const carriedOut = client.isBlocked ? 0 : this.kernel.schedule.below(client.queue.length + 1);
      for (const { statement } of client.queue.splice(0).slice(0, carriedOut)) {
        const outcome = await (await this.backendOf(client)).carryOut(statement, this.nowIso());
        this.kernel.log(
          `${process.name} dead ${statement.name ?? statement.text} ${outcome ? describe(outcome) : 'waits'}`,
        );
        client.isBlocked = outcome === null;
        if (!outcome) break;
      }
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
