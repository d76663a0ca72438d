import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { BACKGROUND_WORK } from '../../common/background-job';
import { Clock } from '../../common/clock';
import { ChainFaultRepository } from '../faults/chain-fault.repository';
import type { BlockHeader } from '../node/block-answer';
import { BlockReads } from '../node/block-reads';
import { NodeUnavailableError } from '../node/node-errors';
import { mostMissing } from '../proof/final-height';
import { SignatureJudge, type Witness } from '../proof/judge';
import { WitnessReader } from './witness-reader';
import {
  believed,
  isProvisional,
  PROVISIONAL,
  type StoredWitnesses,
  WitnessSetRepository,
} from './witness-set.repository';

/** Mainnet's; where a node does not say when the next maintenance is. */
const PERIOD_MS = 6 * 3_600_000;
/** Between two readings that an unknown signature, or a set that was refused, has caused. */
const AGAIN_MS = 15_000;
/** Until the nodes are asked again about a set that was refused, or that not all of them have named yet. */
const LATER_MS = 5 * 60_000;
/** Who has a set to go by waits so long for a reading, which may take a minute: no look at the chain is to come late for it. */
const LONGEST_WAIT_MS = 2_000;
/** The log says so often that a set is still provisional. */
const TELL_AGAIN_MS = 24 * 3_600_000;

/** It is not known, or not agreed on, who makes blocks: no header is believed, nor any that was believed before. */
export class NobodyBelievedError extends NodeUnavailableError {}

/**
 * The active witnesses and the keys they sign with: from every node, at the start and after each maintenance, kept in the database for
 * all instances. Nodes that disagree, or too many changes at once, leave the old set as it is until an operator decides. A first set
 * that some nodes have not named yet is provisional: when another one comes up, nobody is believed until that is decided.
 */
@Injectable()
export class WitnessSet implements OnApplicationShutdown {
  readonly judge = new SignatureJudge();
  private readonly logger = new Logger(WitnessSet.name);
  private stored: StoredWitnesses | null = null;
  /** Of this process, whatever the database has. */
  private wasRead = false;
  private disagreed = false;
  private readAtMs = Number.NEGATIVE_INFINITY;
  private toldAtMs = Number.NEGATIVE_INFINITY;
  private reading: Promise<void> | null = null;
  private isEnded = false;

  constructor(
    /** A command goes by what the services have read. */
    @Inject(BACKGROUND_WORK) private readonly readsAtStart: boolean,
    private readonly repository: WitnessSetRepository,
    private readonly reader: WitnessReader,
    private readonly blocks: BlockReads,
    private readonly faults: ChainFaultRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Has a set to judge by, and the one of this maintenance period where the nodes give it.
   * @param headTimeMs block time of the verified head; null before there is one
   * @throws NobodyBelievedError when there is none; NodeUnavailableError when no node has named one yet
   */
  async prepare(headTimeMs: number | null): Promise<void> {
    if (this.isValid(headTimeMs)) return;
    await this.load();
    if (this.isValid(headTimeMs) || (headTimeMs === null && this.has)) return;
    if (this.isDue(false)) await this.read(new Map(), headTimeMs);
    this.requireOne();
  }

  /** A node's newest block is signed by nobody who is known, or too few of those known sign any: keys change, and so do witnesses. */
  async doubt(header: BlockHeader | null): Promise<void> {
    await this.load();
    if (!this.isDue(true)) return;
    const agreed = header === null || isProvisional(this.stored) ? [] : (this.stored?.witnesses ?? []);
    const known = new Map(agreed.map(({ address, signing_address: signer }) => [address, signer]));
    if (header?.witness) known.delete(header.witness);
    await this.read(known, header?.timeMs ?? null);
  }

  /** No other reading is begun; one that a node keeps waiting is left. */
  async onApplicationShutdown(): Promise<void> {
    this.isEnded = true;
    if (this.reading) await this.clock.waitAtMost(LONGEST_WAIT_MS, this.reading);
  }

  private get has(): boolean {
    return believed(this.stored).length > 0;
  }

  private isValid(headTimeMs: number | null): boolean {
    if (!this.has || headTimeMs === null || (this.readsAtStart && !this.wasRead)) return false;
    return this.stored!.offered === null && headTimeMs < this.stored!.valid_until_ms;
  }

  private isDue(isDoubted: boolean): boolean {
    if (this.reading || this.isEnded) return false;
    const nowMs = this.clock.monotonicMs();
    if (nowMs < this.readAtMs + this.waitMs(isDoubted)) return false;
    this.readAtMs = nowMs;
    return true;
  }

  private waitMs(isDoubted: boolean): number {
    // Without any, nothing can be believed: as soon as a node answers.
    if (!this.stored) return 0;
    const waitsForOthers = isProvisional(this.stored) && !isDoubted && !this.disagreed;
    return this.has && (this.stored.offered || waitsForOthers) ? LATER_MS : AGAIN_MS;
  }

  private requireOne(): void {
    if (this.has) return;
    const why = this.stored?.offered ? 'the nodes do not agree on' : 'it is not known';
    throw new NobodyBelievedError(`${why} who the active witnesses are (witnesses:list)`);
  }

  private async load(): Promise<void> {
    this.stored = await this.repository.find();
    this.judge.know(believed(this.stored));
  }

  /** With a set to go by, the reading goes on beside those who no longer wait. @throws NodeUnavailableError when there is no set at all */
  private async read(known: ReadonlyMap<string, string>, headTimeMs: number | null): Promise<void> {
    const outcome = this.readFromNodes(known, headTimeMs);
    this.reading = outcome
      .catch((error: unknown) => {
        if (!this.stored || this.isEnded) return;
        this.logger.warn(`The witnesses could not be read; those known so far are used: ${String(error)}`);
      })
      .finally(() => (this.reading = null));
    if (this.has) return this.clock.waitAtMost(LONGEST_WAIT_MS, this.reading);
    await this.reading;
    if (!this.stored) await outcome;
  }

  private async readFromNodes(known: ReadonlyMap<string, string>, headTimeMs: number | null): Promise<void> {
    const { urls } = this.blocks;
    const readings = await Promise.allSettled(urls.map((url) => this.reader.read(url, known)));
    const sets = readings.flatMap((reading) => (reading.status === 'fulfilled' ? [reading.value] : []));
    const answered = urls.filter((_url, i) => readings[i]!.status === 'fulfilled');
    const [first] = sets;
    if (!first) throw (readings[0] as PromiseRejectedResult | undefined)?.reason ?? new NodeUnavailableError('no node');
    const other = sets.find((set) => JSON.stringify(set) !== JSON.stringify(first));
    if (other) return this.disagree(first, other);
    this.disagreed = false;
    const validUntilMs = await this.reader.nextMaintenanceMs(answered[0]!).catch(() => (headTimeMs ?? 0) + PERIOD_MS);
    await this.take(first, validUntilMs, answered);
    this.wasRead = true;
  }

  private async take(witnesses: readonly Witness[], validUntilMs: number, answered: readonly string[]): Promise<void> {
    const isFirst = this.stored === null || isProvisional(this.stored);
    const isAgreed = answered.length === this.blocks.allUrls.length;
    // One node alone does not decide what two have disagreed about.
    if (isFirst && !isAgreed && this.stored && !this.has) return;
    const base = isFirst && isAgreed ? [] : (this.stored?.base ?? []);
    const changed = Math.max(missingIn(witnesses, base), missingIn(base, witnesses));
    if (base.length > 0 && changed > mostMissing(base.length)) {
      await this.repository.offer(witnesses, base);
      await this.report('witnesses_changed', { changed: String(changed), active: String(base.length) });
    } else {
      if (isFirst) this.tell(witnesses.length, answered);
      await this.repository.keep(witnesses, isFirst && !isAgreed ? PROVISIONAL : validUntilMs);
      await this.faults.clear(['witnesses_disagree', 'witnesses_changed']);
    }
    await this.load();
  }

  /** The second time only: while a maintenance passes, one node is a block ahead of another. */
  private async disagree(first: readonly Witness[], other: readonly Witness[]): Promise<void> {
    if (this.disagreed) {
      const used = this.stored?.witnesses ?? other;
      const isOfSecond = missingIn(first, used) + missingIn(used, first) === 0;
      await this.repository.offer(isOfSecond ? other : first, used);
      await this.report('witnesses_disagree', { differing: String(missingIn(first, other)) });
      await this.load();
      this.wasRead = true;
    }
    this.disagreed = true;
  }

  private async report(kind: 'witnesses_disagree' | 'witnesses_changed', parameters: Record<string, string>) {
    const what = isProvisional(this.stored) ? 'nobody is believed until then' : 'the witnesses known so far stay';
    this.logger.error({ parameters }, `${kind}: ${what}; compare with witnesses:list`);
    await this.faults.report(kind, parameters);
  }

  private tell(witnesses: number, answered: readonly string[]): void {
    const silent = this.blocks.allUrls.filter((url) => !answered.includes(url)).map((url) => new URL(url).host);
    if (silent.length > 0) return this.tellProvisional(witnesses, silent.join(', '));
    this.logger.log(
      answered.length > 1
        ? `${answered.length} nodes agree on ${witnesses} active witnesses`
        : `${witnesses} active witnesses are believed as the only node names them`,
    );
  }

  private tellProvisional(witnesses: number, silent: string): void {
    const nowMs = this.clock.monotonicMs();
    if (nowMs - this.toldAtMs < TELL_AGAIN_MS) return;
    this.toldAtMs = nowMs;
    this.logger.warn(`${witnesses} active witnesses are believed until all nodes agree; these name none: ${silent}`);
  }
}

/** How many of one set are not, or not with the same key, in the other. */
function missingIn(set: readonly Witness[], others: readonly Witness[]): number {
  const signing = new Map(others.map(({ address, signing_address: signer }) => [address, signer]));
  return set.filter(({ address, signing_address: signer }) => signing.get(address) !== signer).length;
}
