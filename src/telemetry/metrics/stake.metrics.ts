import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { ReferenceBlocks } from '../../chain/verified-chain/reference-blocks';
import { CareRepository, type CareRow } from '../../stake-care/care.repository';
import { OperationRepository } from '../../stake-care/operation.repository';
import { registerGauges, type Sample } from './gauge.table';
import { MetricsRegistry } from './metrics.registry';

const FRESH_MS = 5_000;
const LABELS = ['wallet'] as const;

const GAUGES = [
  { name: 'stake_power', help: 'Votes that the stake of a wallet with stake care gives.', labels: LABELS },
  { name: 'stake_idle_votes', help: 'Votes of a wallet with stake care that go to no witness.', labels: LABELS },
  { name: 'stake_reward_sun', help: 'Rewards that can be claimed.', labels: LABELS },
  {
    name: 'stake_reading_age_seconds',
    help: 'Block time since the stake of a wallet with stake care was last read.',
    labels: LABELS,
  },
] as const;
type Name = (typeof GAUGES)[number]['name'];

/** Wallets with care, by the last look at each: the same from every instance. */
@Injectable()
export class StakeMetrics {
  constructor(
    registry: MetricsRegistry,
    private readonly cares: CareRepository,
    private readonly operations: OperationRepository,
    private readonly references: ReferenceBlocks,
  ) {
    registerGauges<Name>(registry, GAUGES, () => this.read(), FRESH_MS);
    const counter: Counter<'wallet'> = new Counter({
      name: 'stake_claimed_sun_total',
      help: 'Rewards that this service has claimed, also for wallets whose stake care was turned off.',
      labelNames: LABELS,
      registers: [registry],
      collect: () => this.count(counter),
    });
  }

  /** What was claimed stays: while the database is away, the last sums do. */
  private async count(counter: Counter<'wallet'>): Promise<void> {
    const claimed = await this.operations.claimedByName().catch(() => null);
    if (claimed === null) return;
    counter.reset();
    for (const { wallet, sun } of claimed) counter.inc({ wallet }, Number(sun));
  }

  private async read(): Promise<Map<Name, Sample[]>> {
    const cares = await this.cares.list();
    const looked = cares.filter(({ read_ms: ms }) => ms !== null);
    const nowMs = this.references.lastTimeMs();
    const aged = nowMs === null ? [] : looked;
    return new Map<Name, Sample[]>([
      ['stake_power', by(looked, ({ power }) => power)],
      ['stake_idle_votes', by(looked, ({ idle_votes: idle }) => idle)],
      ['stake_reward_sun', by(looked, ({ reward_sun: sun }) => sun)],
      ['stake_reading_age_seconds', by(aged, ({ read_ms: ms }) => ageSeconds(BigInt(nowMs!) - ms!))],
    ]);
  }
}

function by(cares: readonly CareRow[], value: (care: CareRow) => bigint): Sample[] {
  return cares.map((care) => ({ value: Number(value(care)), labels: { wallet: care.name } }));
}

/** A reading may be of a later block than the last that this process has seen. */
function ageSeconds(ms: bigint): bigint {
  return ms > 0n ? ms / 1000n : 0n;
}
