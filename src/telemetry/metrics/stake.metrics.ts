import { Injectable } from '@nestjs/common';
import { CareRepository, type CareRow } from '../../stake-care/care.repository';
import { OperationRepository } from '../../stake-care/operation.repository';
import { registerGauges, type Sample } from './gauge.table';
import { MetricsRegistry } from './metrics.registry';

const FRESH_MS = 5_000;
const LABELS = ['wallet'] as const;

const GAUGES = [
  { name: 'stake_power', help: 'Votes that the stake of a wallet with care gives.', labels: LABELS },
  { name: 'stake_idle_votes', help: 'Votes among them that no witness has.', labels: LABELS },
  { name: 'stake_reward_sun', help: 'Rewards that could be claimed.', labels: LABELS },
  { name: 'stake_claimed_sun_total', help: 'Rewards that were claimed by this service.', labels: LABELS },
] as const;
type Name = (typeof GAUGES)[number]['name'];

/** Wallets with care, by the last look at each: the same from every instance. */
@Injectable()
export class StakeMetrics {
  constructor(
    registry: MetricsRegistry,
    private readonly cares: CareRepository,
    private readonly operations: OperationRepository,
  ) {
    registerGauges<Name>(registry, GAUGES, () => this.read(), FRESH_MS);
  }

  private async read(): Promise<Map<Name, Sample[]>> {
    const cares = await this.cares.list();
    const claimed = await this.operations.claimed();
    const looked = cares.filter(({ read_ms: ms }) => ms !== null);
    return new Map<Name, Sample[]>([
      ['stake_power', by(looked, ({ power }) => power)],
      ['stake_idle_votes', by(looked, ({ idle_votes: idle }) => idle)],
      ['stake_reward_sun', by(looked, ({ reward_sun: sun }) => sun)],
      ['stake_claimed_sun_total', by(cares, ({ id }) => claimed.get(id) ?? 0n)],
    ]);
  }
}

function by(cares: readonly CareRow[], value: (care: CareRow) => bigint): Sample[] {
  return cares.map((care) => ({ value: Number(value(care)), labels: { wallet: care.name } }));
}
