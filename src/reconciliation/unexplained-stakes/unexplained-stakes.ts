import { Injectable } from '@nestjs/common';
import { Sql, type SqlTransaction, type Statement } from '../../database/sql';
import type { Undecided } from '../../findings/finding.store';
import type { AtMost } from '../chain/chain-comparison';
import type { DelegatedResourceFinding } from '../chain/delegated-resource-findings';
import { type DelegatedResource, subjectOf } from '../chain/delegated-resources';

interface KnownStake {
  readonly wallet_id: string;
  readonly wallet: string;
  readonly address: string;
  readonly receiver: string;
  readonly foreign_sun: bigint;
  readonly missing_sun: bigint;
}

const LIST: Statement = {
  name: 'unexplained_list',
  text: `select u.wallet_id, w.name as wallet, w.address, u.receiver, u.foreign_sun, u.missing_sun
           from unexplained_stakes u join pool_wallets w on w.id = u.wallet_id and w.removed_at is null`,
};
const GROWN: Statement = {
  name: 'unexplained_grown',
  text: `insert into unexplained_stakes as known (wallet_id, receiver, foreign_sun, missing_sun)
         select $1, f.receiver, f.foreign_sun, f.missing_sun
           from unnest($2::text[], $3::bigint[], $4::bigint[]) as f (receiver, foreign_sun, missing_sun) order by f.receiver
         on conflict (wallet_id, receiver) do update
            set foreign_sun = greatest(known.foreign_sun, excluded.foreign_sun),
                missing_sun = greatest(known.missing_sun, excluded.missing_sun)
          where excluded.foreign_sun > known.foreign_sun or excluded.missing_sun > known.missing_sun
         returning receiver`,
};
/** Only what nobody has found to be more since it was listed. */
const SHRUNK: Statement = {
  name: 'unexplained_shrunk',
  text: `update unexplained_stakes set foreign_sun = least(foreign_sun, $5), missing_sun = least(missing_sun, $6)
          where wallet_id = $1 and receiver = $2 and foreign_sun = $3 and missing_sun = $4`,
};
const FORGET: Statement = {
  name: 'unexplained_forget',
  text: `delete from unexplained_stakes where foreign_sun = 0 and missing_sun = 0`,
};

/** The stake that a wallet is not paused for again. */
@Injectable()
export class UnexplainedStakes {
  constructor(private readonly sql: Sql) {}

  async list(): Promise<KnownStakes> {
    return new KnownStakes(await this.sql.rows<KnownStake & Record<string, unknown>>(LIST));
  }

  /** Of findings of one wallet, those with more than was known of their pair; from now on that is known too. */
  async grown(
    tx: SqlTransaction,
    walletId: string,
    findings: readonly DelegatedResourceFinding[],
  ): Promise<DelegatedResourceFinding[]> {
    const pairs = [...new Map(findings.map((finding) => [finding.receiver, finding])).values()];
    const rows = await tx.rows<{ receiver: string }>(GROWN, [
      walletId,
      pairs.map(({ receiver }) => receiver),
      pairs.map(({ foreignSun }) => foreignSun),
      pairs.map(({ missingSun }) => missingSun),
    ]);
    const receivers = new Set(rows.map(({ receiver }) => receiver));
    return findings.filter(({ receiver }) => receivers.has(receiver));
  }

  /** No more than this is there any longer: what comes on top of it is new. */
  async shrink(known: KnownStakes, atMost: ReadonlyMap<string, AtMost>): Promise<void> {
    for (const { stake, most } of known.readAgain(atMost)) {
      if (most.foreignSun >= stake.foreign_sun && most.missingSun >= stake.missing_sun) continue;
      const { wallet_id: walletId, receiver, foreign_sun: foreignSun, missing_sun: missingSun } = stake;
      const values = [walletId, receiver, foreignSun, missingSun, most.foreignSun, most.missingSun];
      await this.sql.execute(SHRUNK, values);
    }
    await this.sql.execute(FORGET);
  }
}

/** As they were before a run. */
export class KnownStakes {
  constructor(private readonly stakes: readonly KnownStake[]) {}

  pairs(): DelegatedResource[] {
    return this.stakes.map(({ wallet, address: walletAddress, receiver }) => ({
      wallet,
      walletAddress,
      receiver,
      leastSun: 0n,
      mostSun: 0n,
    }));
  }

  readAgain(atMost: ReadonlyMap<string, AtMost>): { stake: KnownStake; most: AtMost }[] {
    return this.stakes.flatMap((stake) => {
      const most = atMost.get(subjectOf(stake));
      return most ? [{ stake, most }] : [];
    });
  }

  undecided(findings: readonly DelegatedResourceFinding[], atMost: ReadonlyMap<string, AtMost>): Undecided {
    const found = new Map(findings.map((finding) => [finding.subject, finding]));
    const [foreign, missing]: [string[], string[]] = [[], []];
    for (const { stake, most } of this.readAgain(atMost)) {
      const subject = subjectOf(stake);
      const now = found.get(subject);
      if (stake.foreign_sun > 0n && most.foreignSun > 0n && !now?.foreignSun) foreign.push(subject);
      if (stake.missing_sun > 0n && most.missingSun > 0n && !now?.missingSun) missing.push(subject);
    }
    return { foreign, missing };
  }
}
