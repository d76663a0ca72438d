import { Injectable } from '@nestjs/common';
import { claimTurn } from '../../database/claim-turn.sql';
import { Sql, type SqlTransaction } from '../../database/sql';
import { statement } from '../../database/statement';

/** SQL: the last moment, at `at` or before, at which the clock of a zone has shown this time of day. */
export const lastTimeOfDay = (at: string, timeOfDay: string, zone: string): string => {
  const clock = `(${at} at time zone ${zone})`;
  return `((date_trunc('day', ${clock} - ${timeOfDay}) + ${timeOfDay}) at time zone ${zone})`;
};

const TURN = 'notice-glance';
const lastTurn = (at: string) => lastTimeOfDay(at, '$1::text::interval', '$2::text');

const IS_DUE = statement<[timeOfDay: string, zone: string], { due: boolean }>(
  'notice_glance_is_due',
  `select not exists (select from job_runs where name = '${TURN}'
                        and ran_at between ${lastTurn('clock_timestamp()')} and clock_timestamp() + interval '1 minute') as due`,
);
/** The very first asking only starts the time. */
const CLAIM = statement<[timeOfDay: string, zone: string], { due: boolean }>(
  'notice_glance_claim',
  `${claimTurn(TURN, `1000 * extract(epoch from excluded.ran_at - ${lastTurn('excluded.ran_at')})`)} returning xmax <> 0 as due`,
);

/** When the glance was sent last, which one instance does for all. */
@Injectable()
export class GlanceTurnRepository {
  constructor(private readonly sql: Sql) {}

  /** A look without a claim: what the glance says is read before the claim, which one transaction makes with the message. */
  async isDue({ timeOfDay, zone }: GlanceTime): Promise<boolean> {
    return (await this.sql.row(IS_DUE, [timeOfDay, zone]))!.due;
  }

  /** False: another instance has it. */
  async claim({ timeOfDay, zone }: GlanceTime, tx: SqlTransaction): Promise<boolean> {
    return (await tx.row(CLAIM, [timeOfDay, zone]))?.due ?? false;
  }
}

type GlanceTime = { readonly timeOfDay: string; readonly zone: string };
