import { Injectable } from '@nestjs/common';
import { LEDGER_KINDS, type LedgerKind } from '../../balance/balance.entities';
import { Sql, type SqlTransaction } from '../../database/sql';
import type { MomentRange } from '../reports/utc-days';
import * as statements from './trial-balance.statements';

export interface QuotaMovements {
  readonly sold: { readonly energy: bigint; readonly priceSun: bigint; readonly fromBalanceSun: bigint };
  /** What subscriptions without a price have added. */
  readonly givenEnergy: bigint;
  readonly used: bigint;
  readonly expired: bigint;
}

export interface TrialBalanceView {
  readonly range: MomentRange;
  readonly openingSun: bigint;
  /** Every kind, also those that nothing moved by. */
  readonly movementsSun: Readonly<Record<LedgerKind, bigint>>;
  readonly closingSun: bigint;
  /** Promised to orders at the end of the range, or now: the part of `closingSun` that cannot be spent. */
  readonly holdsSun: bigint;
  /** Those there are now. */
  readonly accounts: bigint;
  readonly quota: QuotaMovements;
  /** Null: it adds up, and at its end equals the balances where the range reaches to this moment. */
  readonly fault: string | null;
}

/** What all accounts held before a range of time, what moved in it, and what they held after it. */
@Injectable()
export class TrialBalance {
  constructor(private readonly sql: Sql) {}

  /** All of it of one moment, whatever orders settle meanwhile. */
  read(range: MomentRange): Promise<TrialBalanceView> {
    return this.sql.snapshot((tx) => readIn(tx, range));
  }
}

async function readIn(tx: SqlTransaction, range: MomentRange): Promise<TrialBalanceView> {
  const edges = [range.from, range.to] as const;
  const balances = (await tx.row(statements.BALANCES, [...edges]))!;
  const moved = await tx.rows(statements.MOVEMENTS, [...edges]);
  const sums = new Map(moved.map(({ kind, sun }) => [kind, BigInt(sun)]));
  const movementsSun = Object.fromEntries(LEDGER_KINDS.map((kind) => [kind, sums.get(kind) ?? 0n]));
  const movedSun = [...sums.values()].reduce((sum, sun) => sum + sun, 0n);
  const balancesSun = balances.is_open ? BigInt(balances.balances_sun) : null;
  let ends = endsOf(balances);
  let fault = faultOf(ends, movedSun, balancesSun);
  if (fault !== null) {
    ends = endsOf((await tx.row(statements.EXACT_BALANCES, [...edges]))!);
    fault = faultOf(ends, movedSun, balancesSun);
  }
  return {
    range,
    ...ends,
    movementsSun: movementsSun as Record<LedgerKind, bigint>,
    holdsSun: BigInt(balances.is_open ? balances.held_sun : (await tx.row(statements.HOLDS, [range.to]))!.sun),
    accounts: balances.accounts,
    quota: quotaOf((await tx.row(statements.QUOTA, [...edges]))!),
    fault,
  };
}

interface Ends {
  readonly openingSun: bigint;
  readonly closingSun: bigint;
}

function endsOf(row: Pick<statements.Balances, 'opening_sun' | 'closing_sun'>): Ends {
  return { openingSun: BigInt(row.opening_sun), closingSun: BigInt(row.closing_sun) };
}

function faultOf({ openingSun, closingSun }: Ends, movedSun: bigint, balancesSun: bigint | null): string | null {
  if (openingSun + movedSun !== closingSun)
    return `${openingSun} sun before the range and ${movedSun} sun that moved in it make ${openingSun + movedSun}, and not ${closingSun}`;
  if (balancesSun !== null && balancesSun !== closingSun)
    return `the ledger adds up to ${closingSun} sun, and the balances of all accounts to ${balancesSun}`;
  return null;
}

function quotaOf(row: statements.QuotaSums): QuotaMovements {
  return {
    sold: {
      energy: BigInt(row.sold_energy),
      priceSun: BigInt(row.price_sun),
      fromBalanceSun: BigInt(row.from_balance_sun),
    },
    givenEnergy: BigInt(row.given_energy),
    used: BigInt(row.used_energy),
    expired: BigInt(row.expired_energy),
  };
}
