import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { BACKGROUND_WORK } from '../../../common/background-job';
import { Clock } from '../../../common/clock';
import { ChainFaultRepository } from '../faults/chain-fault.repository';
import { DoubtfulBlockError } from '../../tron/node/block-answer';
import type { BlockHeader } from '../../proof/block-header';
import { BlockReads } from '../../tron/node/block-reads';
import { NodeUnavailableError } from '../../tron/node/node-errors';
import { mostMissing } from '../../proof/final-height';
import type { HeaderChain } from '../../proof/header-chain';
import { SignatureJudge, type Witness } from '../../proof/judge';
import type { FollowedWitnesses, KnownWitnesses } from '../../proof/proved-witnesses';
import { changeText } from './change-text';
import { FollowSigners } from './follow-signers';
import { NamedWitnesses, type Naming } from './named-witnesses';
import { isSensible } from './witness-reader';
import {
  believed,
  isProvisional,
  PROVISIONAL,
  type StoredWitnesses,
  WitnessSetRepository,
} from './witness-set.repository';

/** Between two readings that an unknown signature, or a set that was refused, has caused. */
const AGAIN_MS = 15_000;
/** Until the nodes are asked again about a set that was refused, or that not all of them have named yet. */
const LATER_MS = 5 * 60_000;
/** So long a service that ends waits for a reading. */
const LONGEST_WAIT_MS = 2_000;
/** The log says so often that a set is still provisional. */
const TELL_AGAIN_MS = 24 * 3_600_000;
/** Without a change, the database remembers so often up to where the chain was looked through. */
const REMEMBERED_BLOCKS = 20;
/** So many turns behind the head, and a few blocks, too few of the known witnesses sign to make anything final. */
const STUCK_TURNS = 3;
const STUCK_BLOCKS = 20;

/** It is not known, or not agreed on, who makes blocks: no header is believed, nor any that was believed before. */
export class NobodyBelievedError extends NodeUnavailableError {}

/**
 * The active witnesses and the keys they sign with, kept in the database for all instances. The first set is believed as the nodes name it;
 * one that some nodes have not named yet is provisional: when another one comes up, no witness is believed until that is decided. From then
 * on the chain proves who joins and who goes (`followWitnesses`), or an operator decides (`witnesses:accept`): what the nodes name, at the
 * start and after each maintenance, is compared with that, and is a finding where it differs by more than the chain can prove.
 */
@Injectable()
export class WitnessSet implements OnApplicationShutdown {
  readonly judge = new SignatureJudge();
  private readonly logger = new Logger(WitnessSet.name);
  private stored: StoredWitnesses | null = null;
  /** Later than the stored one by some blocks, in which nothing has changed. */
  private following: KnownWitnesses['followed'] = null;
  /** Whether this process has read the set, whatever the database has. */
  private wasRead = false;
  private disagreed = false;
  /** Blocks come, and none of them becomes final: what the nodes name instead is for an operator to see, however little it is. */
  private isStuck = false;
  private readAtMs = Number.NEGATIVE_INFINITY;
  private toldAtMs = Number.NEGATIVE_INFINITY;
  private toldUnproved = 0;
  private reading: Promise<void> | null = null;
  private isEnded = false;

  constructor(
    /** A command goes by what the services have read. */
    @Inject(BACKGROUND_WORK) private readonly readsAtStart: boolean,
    private readonly repository: WitnessSetRepository,
    private readonly nodes: NamedWitnesses,
    private readonly signers: FollowSigners,
    private readonly blocks: BlockReads,
    private readonly faults: ChainFaultRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Has a set to judge by. Whether the nodes name the same in this maintenance period is asked meanwhile.
   * @param headTimeMs block time of the verified head; null before there is one
   * @throws NobodyBelievedError when there is none; NodeUnavailableError when no node has named one yet
   */
  async prepare(headTimeMs: number | null): Promise<void> {
    if (this.isValid(headTimeMs)) return;
    await this.load();
    if (this.isValid(headTimeMs) || (headTimeMs === null && this.has)) return;
    if (this.isDue(false)) await this.read(headTimeMs);
    this.requireOne();
  }

  /** A node's newest block is signed by no known witness, or too few known ones sign any: keys change, and so do witnesses. */
  async doubt(header: BlockHeader | null): Promise<void> {
    await this.load();
    if (header === null) this.isStuck = true;
    if (this.isDue(true)) await this.read(header?.timeMs ?? null);
  }

  async learn(chain: HeaderChain): Promise<boolean> {
    if (!this.readsAtStart || !this.has) return false;
    // Another instance is further, or an operator has accepted a branch that is lower.
    if ((this.following ?? this.stored!.followed ?? chain.head).number > chain.head.number) await this.load();
    const { stored } = this;
    const behind = chain.head.number - (chain.final?.number ?? 0);
    this.isStuck = behind > STUCK_TURNS * stored!.witnesses.length + STUCK_BLOCKS;
    const learned = await this.signers.follow(chain, knownOf(stored!, this.following));
    const isDue = learned.followed.number - (stored!.followed?.number ?? 0) >= REMEMBERED_BLOCKS;
    if (learned.changes.length > 0 || isDue) return this.remember(learned, stored!);
    // Another set may have been stored meanwhile.
    if (this.stored?.version === stored!.version) this.following = learned.followed;
    return false;
  }

  /** No other reading is begun; one that a node keeps waiting is left. */
  async onApplicationShutdown(): Promise<void> {
    this.isEnded = true;
    if (this.reading) await this.clock.waitAtMost(LONGEST_WAIT_MS, this.reading);
  }

  /** When two instances come to the same set, one writes it, and reports it. */
  private async remember(learned: FollowedWitnesses, before: StoredWitnesses): Promise<boolean> {
    const isKept = await this.repository.follow(learned, before.version);
    await this.load();
    if (isKept) for (const change of learned.changes) this.logger.warn(changeText(change).en);
    return JSON.stringify(this.stored!.witnesses) !== JSON.stringify(before.witnesses);
  }

  private get has(): boolean {
    return believed(this.stored).length > 0;
  }

  private isValid(headTimeMs: number | null): boolean {
    if (!this.has || headTimeMs === null || (this.readsAtStart && !this.wasRead)) return false;
    const untilMs = Number(this.stored!.valid_until_ms);
    return this.stored!.offered === null && headTimeMs < untilMs && isSensible(untilMs, headTimeMs);
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
    const { version } = this.stored ?? {};
    this.stored = await this.repository.find();
    if (this.stored?.version !== version) this.following = null;
    this.judge.know(believed(this.stored));
  }

  /** With a set to go by, the reading goes on meanwhile. @throws NodeUnavailableError without any set at all */
  private async read(headTimeMs: number | null): Promise<void> {
    const outcome = this.compare(headTimeMs);
    this.reading = outcome
      .catch((error: unknown) => {
        if (!this.stored || this.isEnded) return;
        this.logger.warn(`The witnesses could not be read; those known so far are used: ${String(error)}`);
      })
      .finally(() => (this.reading = null));
    if (this.has) return;
    await this.reading;
    if (!this.stored) await outcome;
  }

  private async compare(headTimeMs: number | null): Promise<void> {
    const naming = await this.nodes.read();
    await this.load();
    if (naming.other) return this.disagree(naming, naming.other);
    this.disagreed = false;
    await this.take(naming, await this.nodes.validUntilMs(naming.answered, headTimeMs));
    this.wasRead = true;
  }

  private async take({ first, answered, named }: Naming, validUntilMs: number): Promise<void> {
    const isFirst = this.stored === null || isProvisional(this.stored);
    const isAgreed = answered.length === this.blocks.allUrls.length;
    // One node alone does not decide what two have disagreed about.
    if (isFirst && !isAgreed && this.stored && !this.has) return;
    const known = isFirst && isAgreed ? [] : (this.stored?.witnesses ?? []);
    const changed = Math.max(missingIn(first, known), missingIn(known, first));
    if (known.length > 0 && (changed > mostMissing(known.length) || (changed > 0 && this.isStuck))) {
      await this.repository.offer(first, known, named);
      await this.report('witnesses_changed', { changed: String(changed), active: String(known.length) });
    } else {
      if (isFirst) this.tell(first.length, answered);
      else this.tellUnproved(changed);
      await this.repository.keep(first, isFirst && !isAgreed ? PROVISIONAL : validUntilMs, named);
      await this.faults.clear(['witnesses_disagree', 'witnesses_changed']);
    }
    await this.load();
  }

  /** The second time only: while a maintenance passes, one node is a block ahead of another. */
  private async disagree(naming: Naming, other: readonly Witness[]): Promise<void> {
    if (this.disagreed) {
      this.doubtStrangers(naming);
      const { first } = naming;
      const used = this.stored?.witnesses ?? other;
      const isOfSecond = missingIn(first, used) + missingIn(used, first) === 0;
      await this.repository.offer(isOfSecond ? other : first, used, namedBeside(naming, used));
      await this.report('witnesses_disagree', { differing: String(missingIn(first, other)) });
      await this.load();
      this.wasRead = true;
    }
    this.disagreed = true;
  }

  /** While another node names what blocks can have proved: a node that names more strangers than that is wrong. */
  private doubtStrangers({ answered, sets }: Naming): void {
    if (this.stored === null || isProvisional(this.stored)) return;
    const known = this.stored.witnesses;
    const differing = sets.map((set) => Math.max(missingIn(set, known), missingIn(known, set)));
    const most = mostMissing(known.length);
    if (differing.every((count) => count > most)) return;
    for (const [at, count] of differing.entries()) {
      const fault = `it names ${count} witnesses otherwise than ${known.length} that signed blocks prove`;
      if (count > most) this.blocks.doubted(answered[at]!, new DoubtfulBlockError(fault));
    }
  }

  private async report(kind: 'witnesses_disagree' | 'witnesses_changed', parameters: Record<string, string>) {
    const what = isProvisional(this.stored) ? 'no witness is believed until then' : 'the witnesses known so far stay';
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

  /** Once for each number of them. */
  private tellUnproved(changed: number): void {
    if (changed > 0 && changed !== this.toldUnproved)
      this.logger.log(
        `The nodes name ${changed} witnesses or keys otherwise than known: they count once blocks prove it`,
      );
    this.toldUnproved = changed;
  }

  private tellProvisional(witnesses: number, silent: string): void {
    const nowMs = this.clock.monotonicMs();
    if (nowMs - this.toldAtMs < TELL_AGAIN_MS) return;
    this.toldAtMs = nowMs;
    this.logger.warn(`${witnesses} active witnesses are believed until all nodes agree; these name none: ${silent}`);
  }
}

function knownOf(stored: StoredWitnesses, following: KnownWitnesses['followed']): KnownWitnesses {
  const { witnesses, followed, named, changed_at_ms: changedAtMs, gone } = stored;
  return { witnesses, followed: following ?? followed, changedAtMs, named: named && new Set(named), gone };
}

/** One node alone neither keeps a known witness in its place by naming it, nor another one out of a place by not naming it. */
function namedBeside({ named, namedByAll }: Naming, known: readonly Witness[]): readonly string[] {
  const addresses = new Set(known.map(({ address }) => address));
  return named.filter((address) => !addresses.has(address) || namedByAll.includes(address));
}

/** How many of one set are not, or not with the same key, in the other. */
function missingIn(set: readonly Witness[], others: readonly Witness[]): number {
  const signing = new Map(others.map(({ address, signing_address: signer }) => [address, signer]));
  return set.filter(({ address, signing_address: signer }) => signing.get(address) !== signer).length;
}
