import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';
import type { InstanceSetup, RunningInstance, Terms } from './terms';

/** One that has ended without a word is forgotten then: three times as long as it takes to say so again. */
const RUNS = `seen_at between clock_timestamp() - interval '30 seconds' and clock_timestamp() + interval '30 seconds'`;

const SEEN = statement<[id: string, host: string, terms: string, setup: string]>(
  'instance_terms_seen',
  `with gone as (delete from instance_terms where not (${RUNS}) and id <> $1)
   insert into instance_terms (id, host, terms, setup) values ($1, $2, $3::jsonb, $4::jsonb)
   on conflict (id) do update set terms = excluded.terms, setup = excluded.setup, seen_at = clock_timestamp()`,
);
const ENDED = statement<[id: string]>('instance_terms_ended', 'delete from instance_terms where id = $1');
const RUNNING = statement<[], RunningInstance>(
  'instance_terms_running',
  `select host, terms, setup from instance_terms where ${RUNS} order by host, id`,
);

/** The table `instance_terms`. */
@Injectable()
export class InstanceTermsRepository {
  constructor(private readonly sql: Sql) {}

  async seen(id: string, host: string, terms: Terms, setup: InstanceSetup): Promise<void> {
    await this.sql.execute(SEEN, [id, host, JSON.stringify(terms), JSON.stringify(setup)]);
  }

  async ended(id: string): Promise<void> {
    await this.sql.execute(ENDED, [id]);
  }

  running(): Promise<RunningInstance[]> {
    return this.sql.rows(RUNNING);
  }
}
