import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock';
import { BlockReads } from '../../tron/node/block-reads';
import { NodeUnavailableError } from '../../tron/node/node-errors';
import type { Witness } from '../../proof/judge';
import { PERIOD_MS } from '../../proof/proved-witnesses';
import { WitnessReader } from './witness-reader';

/** A node that has not named all of them by then has no say this time. */
const LONGEST_READING_MS = 10_000;
/** In block time: how long until a node that has said that the next maintenance is over is asked again. */
const SOON_MS = 5 * 60_000;

/** What the nodes that have answered say of who makes blocks. */
export interface Naming {
  readonly answered: readonly string[];
  /** The set of each of these nodes, in the same order. */
  readonly sets: readonly (readonly Witness[])[];
  readonly first: readonly Witness[];
  /** Another set than the first one, if any node names one. */
  readonly other: readonly Witness[] | null;
  /** By any of them, addresses. */
  readonly named: readonly string[];
  /** By every one of them, addresses. */
  readonly namedByAll: readonly string[];
}

/** Asks every node who makes blocks, and waits for none longer than for the others. */
@Injectable()
export class NamedWitnesses {
  constructor(
    private readonly reader: WitnessReader,
    private readonly blocks: BlockReads,
    private readonly clock: Clock,
  ) {}

  /** @throws NodeUnavailableError when no node answers in time */
  async read(): Promise<Naming> {
    const { urls } = this.blocks;
    const readings = await Promise.allSettled(urls.map((url) => this.readOne(url)));
    const sets = readings.flatMap((reading) => (reading.status === 'fulfilled' ? [reading.value] : []));
    const answered = urls.filter((_url, i) => readings[i]!.status === 'fulfilled');
    const [first] = sets;
    if (!first) throw (readings[0] as PromiseRejectedResult | undefined)?.reason ?? new NodeUnavailableError('no node');
    const other = sets.find((set) => JSON.stringify(set) !== JSON.stringify(first)) ?? null;
    const named = [...new Set(sets.flat().map(({ address }) => address))].toSorted();
    const namedByAll = named.filter((one) => sets.every((set) => set.some(({ address }) => address === one)));
    return { answered, sets, first, other, named, namedByAll };
  }

  /** Chain time of the next maintenance, by the first node that names a sensible one. Nothing but the next reading goes by it. */
  async validUntilMs(answered: readonly string[], headTimeMs: number | null): Promise<number> {
    const nowMs = headTimeMs ?? 0;
    for (const url of answered) {
      const untilMs = await this.reader.nextMaintenanceMs(url, headTimeMs).catch(() => null);
      if (untilMs !== null) return Math.max(untilMs, nowMs + SOON_MS);
    }
    return nowMs + PERIOD_MS;
  }

  private async readOne(url: string): Promise<readonly Witness[]> {
    const over = new AbortController();
    const found: Witness[][] = [];
    const reading = this.reader.read(url, over.signal).then((set) => found.push(set));
    await this.clock.waitAtMost(LONGEST_READING_MS, reading).finally(() => over.abort());
    const [set] = found;
    if (!set) throw new NodeUnavailableError(`it has not named all witnesses in ${LONGEST_READING_MS / 1000} s`);
    return set;
  }
}
