import { Inject, Injectable, Logger } from '@nestjs/common';
import { BACKGROUND_WORK } from '../../common/background-job';
import { Clock } from '../../common/clock';
import { ChainFaultRepository } from '../faults/chain-fault.repository';
import type { BlockHeader } from '../node/block-answer';
import { BlockReads } from '../node/block-reads';
import { NodeUnavailableError } from '../node/node-errors';
import { mostMissing } from '../proof/final-height';
import { SignatureJudge, type Witness } from '../proof/judge';
import { WitnessReader } from './witness-reader';
import { type StoredWitnesses, WitnessSetRepository } from './witness-set.repository';

/** Mainnet's; where a node does not say when the next maintenance is. */
const PERIOD_MS = 6 * 3_600_000;
/** Between two readings that an unknown signature, or a set that was refused, has caused. */
const AGAIN_MS = 15_000;
/** Until the nodes are asked again whether they still name a set that was refused. */
const REFUSED_MS = 5 * 60_000;

/**
 * The active witnesses and the keys they sign with: from every node, at the start and after each maintenance, kept in the database for
 * all instances. Nodes that disagree, or too many changes at once, leave the old set as it is until an operator decides.
 */
@Injectable()
export class WitnessSet {
  readonly judge = new SignatureJudge();
  private readonly logger = new Logger(WitnessSet.name);
  private stored: StoredWitnesses | null = null;
  /** Of this process, whatever the database has. */
  private wasRead = false;
  private disagreed = false;
  private nextReadMs = Number.NEGATIVE_INFINITY;

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
   * @throws NodeUnavailableError when there is no set at all
   */
  async prepare(headTimeMs: number | null): Promise<void> {
    if (this.isValid(headTimeMs)) return;
    await this.load();
    if (this.isValid(headTimeMs) || (headTimeMs === null && this.has)) return;
    if (!this.isDue()) return this.requireOne();
    await this.readFromNodes(new Map(), headTimeMs).catch((error: unknown) => {
      if (!this.has) throw error;
      this.logger.warn(`The witnesses could not be read; those known so far are used: ${String(error)}`);
    });
    this.requireOne();
  }

  /** A node's newest block is signed by nobody who is known: keys change, and so do witnesses. */
  async doubt({ witness, timeMs }: BlockHeader): Promise<void> {
    await this.load();
    if (!this.isDue()) return;
    const known = new Map(this.stored?.witnesses.map(({ address, signing_address: signer }) => [address, signer]));
    if (witness !== null) known.delete(witness);
    await this.readFromNodes(known, timeMs).catch((error: unknown) =>
      this.logger.warn(`The witnesses could not be read again: ${String(error)}`),
    );
  }

  private get has(): boolean {
    return (this.stored?.witnesses.length ?? 0) > 0;
  }

  private isValid(headTimeMs: number | null): boolean {
    if (!this.has || headTimeMs === null || (this.readsAtStart && !this.wasRead)) return false;
    return this.stored!.offered === null && headTimeMs < this.stored!.valid_until_ms;
  }

  private isDue(): boolean {
    // Without any, nothing can be believed: as soon as a node answers.
    if (this.has && this.clock.monotonicMs() < this.nextReadMs) return false;
    this.nextReadMs = this.clock.monotonicMs() + AGAIN_MS;
    return true;
  }

  private requireOne(): void {
    if (!this.has) throw new NodeUnavailableError('it is not known who the active witnesses are (witnesses:list)');
  }

  private async load(): Promise<void> {
    this.stored = await this.repository.find();
    this.judge.know(this.stored?.witnesses ?? []);
  }

  private async readFromNodes(known: ReadonlyMap<string, string>, headTimeMs: number | null): Promise<void> {
    const { urls } = this.blocks;
    const readings = await Promise.allSettled(urls.map((url) => this.reader.read(url, known)));
    const sets = readings.flatMap((reading) => (reading.status === 'fulfilled' ? [reading.value] : []));
    const [first] = sets;
    if (!first) throw (readings[0] as PromiseRejectedResult | undefined)?.reason ?? new NodeUnavailableError('no node');
    const other = sets.find((set) => JSON.stringify(set) !== JSON.stringify(first));
    if (other) return this.disagree(first, other);
    this.disagreed = false;
    const validUntilMs = await this.reader
      .nextMaintenanceMs(urls[readings.findIndex(({ status }) => status === 'fulfilled')]!)
      .catch(() => (headTimeMs ?? 0) + PERIOD_MS);
    await this.take(first, validUntilMs, sets.length);
    this.wasRead = true;
  }

  private async take(witnesses: readonly Witness[], validUntilMs: number, nodes: number): Promise<void> {
    const base = this.stored?.base ?? [];
    const changed = Math.max(missingIn(witnesses, base), missingIn(base, witnesses));
    if (base.length > 0 && changed > mostMissing(base.length)) {
      await this.repository.offer(witnesses);
      await this.report('witnesses_changed', { changed: String(changed), active: String(base.length) });
    } else {
      if (!this.has)
        this.logger.log(
          nodes > 1
            ? `${nodes} nodes agree on ${witnesses.length} active witnesses`
            : `${witnesses.length} active witnesses are believed as the only node names them`,
        );
      await this.repository.keep(witnesses, validUntilMs);
      await this.faults.clear(['witnesses_disagree', 'witnesses_changed']);
    }
    await this.load();
  }

  /** The second time only: while a maintenance passes, one node is a block ahead of another. */
  private async disagree(first: readonly Witness[], other: readonly Witness[]): Promise<void> {
    if (this.disagreed) {
      await this.repository.offer(first);
      await this.report('witnesses_disagree', { differing: String(missingIn(first, other)) });
      await this.load();
    }
    this.disagreed = true;
  }

  private async report(kind: 'witnesses_disagree' | 'witnesses_changed', parameters: Record<string, string>) {
    this.logger.error({ parameters }, `${kind}: the witnesses known so far stay; compare with witnesses:list`);
    await this.faults.report(kind, parameters);
    this.nextReadMs = this.clock.monotonicMs() + REFUSED_MS;
  }
}

/** How many of one set are not, or not with the same key, in the other. */
function missingIn(set: readonly Witness[], others: readonly Witness[]): number {
  const signing = new Map(others.map(({ address, signing_address: signer }) => [address, signer]));
  return set.filter(({ address, signing_address: signer }) => signing.get(address) !== signer).length;
}
