import { Injectable } from '@nestjs/common';
import { Sql, type SqlTransaction } from '../../database/sql';
import { statement } from '../../database/statement';
import type { AtMost } from '../chain/chain-comparison';
import type { DelegatedResourceFinding } from '../chain/delegated-resource-findings';
import { type KnownStake, KnownStakes } from './known-stakes';

const LIST = statement<[], KnownStake>(
  'unexplained_list',
  `select u.wallet_id, w.name as wallet, w.address, u.receiver, u.foreign_sun, u.missing_sun
     from unexplained_stakes u join pool_wallets w on w.id = u.wallet_id and w.removed_at is null`,
);

type GrownValues = [
  walletId: string,
  receivers: readonly string[],
  foreignSun: readonly bigint[],
  missingSun: readonly bigint[],
];
const GROWN = statement<GrownValues, { receiver: string }>(
  'unexplained_grown',
  `insert into unexplained_stakes as known (wallet_id, receiver, foreign_sun, missing_sun)
   select $1, f.receiver, f.foreign_sun, f.missing_sun
     from unnest($2::text[], $3::bigint[], $4::bigint[]) as f (receiver, foreign_sun, missing_sun) order by f.receiver
   on conflict (wallet_id, receiver) do update
      set foreign_sun = greatest(known.foreign_sun, excluded.foreign_sun),
          missing_sun = greatest(known.missing_sun, excluded.missing_sun)
    where excluded.foreign_sun > known.foreign_sun or excluded.missing_sun > known.missing_sun
   returning receiver`,
);

type ShrunkValues = [
  walletId: string,
  receiver: string,
  foreignSun: bigint,
  missingSun: bigint,
  foreignAtMostSun: bigint,
  missingAtMostSun: bigint,
];
/** Only stakes that no run has found to be larger since they were listed. */
const SHRUNK = statement<ShrunkValues>(
  'unexplained_shrunk',
  `update unexplained_stakes set foreign_sun = least(foreign_sun, $5), missing_sun = least(missing_sun, $6)
    where wallet_id = $1 and receiver = $2 and foreign_sun = $3 and missing_sun = $4`,
);

const FORGET = statement(
  'unexplained_forget',
  `delete from unexplained_stakes where foreign_sun = 0 and missing_sun = 0`,
);

/** The stake that a wallet is not paused for again. */
@Injectable()
export class UnexplainedStakeRepository {
  constructor(private readonly sql: Sql) {}

  async list(): Promise<KnownStakes> {
    return new KnownStakes(await this.sql.rows(LIST));
  }

  /** From the findings of one wallet, those with more than was known at their receiver; from now on that is known too. */
  async grown(
    tx: SqlTransaction,
    walletId: string,
    findings: readonly DelegatedResourceFinding[],
  ): Promise<DelegatedResourceFinding[]> {
    const pairs = [...new Map(findings.map((finding) => [finding.about.receiver, finding])).values()];
    const rows = await tx.rows(GROWN, [
      walletId,
      pairs.map(({ about }) => about.receiver),
      pairs.map(({ foreignSun }) => foreignSun),
      pairs.map(({ missingSun }) => missingSun),
    ]);
    const receivers = new Set(rows.map(({ receiver }) => receiver));
    return findings.filter(({ about }) => receivers.has(about.receiver));
  }

  /** No more than this is there any longer: what comes on top of it is new. */
  async shrink(known: KnownStakes, atMost: ReadonlyMap<string, AtMost>): Promise<void> {
    for (const { stake, most } of known.readAgain(atMost)) {
      const { wallet_id: walletId, receiver, foreign_sun: foreignSun, missing_sun: missingSun } = stake;
      if (most.foreignSun >= foreignSun && most.missingSun >= missingSun) continue;
      await this.sql.execute(SHRUNK, [walletId, receiver, foreignSun, missingSun, most.foreignSun, most.missingSun]);
    }
    await this.sql.execute(FORGET);
  }
}
