import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { ReferenceBlocks } from '../../chain/verified-chain/reference-blocks';
import { Clock } from '../../common/clock';
import { PG_POOL, Sql } from '../../database/sql';
import { registerGauges, type Sample } from './gauge.table';
import { MetricsRegistry } from './metrics.registry';

const GAUGES = [
  { name: 'energy_follower_head_block', help: 'Height of the newest block that this instance has seen.' },
  {
    name: 'energy_follower_lag_seconds',
    help: 'Age of the newest block that this instance has seen, by the clock of this instance.',
  },
  { name: 'energy_follower_solid_lag_blocks', help: 'How far the newest final block is behind the head.' },
  {
    name: 'energy_database_connections',
    help: 'Connections of this instance; waiting: requests that wait for one.',
    labels: ['state'],
  },
] as const;
type Name = (typeof GAUGES)[number]['name'];

/** Numbers of this instance alone. */
@Injectable()
export class FollowerMetrics {
  constructor(
    registry: MetricsRegistry,
    private readonly referenceBlocks: ReferenceBlocks,
    private readonly clock: Clock,
    @Inject(PG_POOL) private readonly pool: Pool,
    private readonly sql: Sql,
  ) {
    registerGauges<Name>(registry, GAUGES, async () => this.read());
  }

  private read(): Map<Name, Sample[]> {
    const [head, solid] = [this.referenceBlocks.lastHead(), this.referenceBlocks.lastFinal()];
    const { totalCount, idleCount, waitingCount } = this.pool;
    const samples = new Map<Name, Sample[]>([
      [
        'energy_database_connections',
        [
          { value: totalCount - idleCount, labels: { state: 'busy' } },
          { value: idleCount, labels: { state: 'idle' } },
          { value: waitingCount + this.sql.waitingTransactions, labels: { state: 'waiting' } },
        ],
      ],
    ]);
    if (head && solid) {
      samples.set('energy_follower_head_block', [{ value: head.number }]);
      samples.set('energy_follower_lag_seconds', [{ value: (this.clock.now().getTime() - head.timeMs) / 1000 }]);
      samples.set('energy_follower_solid_lag_blocks', [{ value: head.number - solid.number }]);
    }
    return samples;
  }
}
