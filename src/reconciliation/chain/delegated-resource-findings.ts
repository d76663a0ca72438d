import { Injectable } from '@nestjs/common';
import { isLockPast, type DelegatedStake, takeableSun } from '../../chain/tron/node/delegated-stake';
import { RecordedBlocks } from '../../chain/observer/recorded-blocks';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';
import { LENT_STATES, type OrderState, sqlList, TAKEN_BACK_STATES } from '../../common/order.states';
import { type Finding, finding } from '../../findings/finding';
import type { DelegatedResourceSubject } from '../../common/finding-subject';
import type { DelegatedResource } from './delegated-resources';
import type { StakeDifference } from './stake-difference';

/** About a pool wallet whose stake at a receiver is not explained. */
export interface DelegatedResourceFinding extends Finding<DelegatedResourceSubject> {
  /** For the pair, in either finding: at least so much is lent by a stranger, and at least so much is gone. */
  readonly foreignSun: bigint;
  readonly missingSun: bigint;
}

/** What the solid chain shows between a wallet and a receiver, and at which block it was read or a little before. */
export interface PairReading {
  readonly pair: DelegatedResource;
  readonly stake: DelegatedStake;
  readonly block: number;
  readonly blockTimeMs: number;
  readonly difference: StakeDifference;
}

interface OrderOfResource {
  readonly id: string;
  readonly stake_sun: bigint;
  readonly state: OrderState;
  readonly tx_id: string | null;
  readonly block_id: string | null;
  readonly delegation_block: bigint | null;
}

const ORDERS = statement<[walletAddress: string, receiver: string], OrderOfResource>(
  'audit_pair_orders',
  `
    select d.id, d.stake_sun, d.state, d.delegation_block, t.tx_id, t.block_id
      from delegations d
      join pool_wallets w on w.id = d.wallet_id
      left join chain_transactions t on t.subject_id = d.id and t.purpose = 'delegation'
     where w.address = $1 and d.receiver = $2 and d.state not in ${sqlList(['failed', 'activating'])}
     order by d.created_at desc limit 200`,
);

const isLent = ({ state }: OrderOfResource) => LENT_STATES.some((lent) => lent === state);
const isBack = ({ state }: OrderOfResource) => TAKEN_BACK_STATES.some((back) => back === state);

/** Says what became of the stake of a wallet at a receiver that the orders do not explain. */
@Injectable()
export class DelegatedResourceFindings {
  constructor(
    private readonly sql: Sql,
    private readonly blocks: RecordedBlocks,
  ) {}

  /** @throws NodeUnavailableError */
  async explain(reading: PairReading): Promise<DelegatedResourceFinding[]> {
    const { pair, difference } = reading;
    const orders = await this.sql.rows(ORDERS, [pair.walletAddress, pair.receiver]);
    const findings: Finding<DelegatedResourceSubject>[] = [];
    if (difference.missingSun.least > 0n) findings.push(await this.tooLittle(orders, reading));
    if (difference.foreignSun.least > 0n) findings.push(...tooMuch(orders, reading));
    const sums = { foreignSun: difference.foreignSun.least, missingSun: difference.missingSun.least };
    return findings.map((found) => ({ ...found, ...sums }));
  }

  /** A delegation that is in its block was there once: then somebody has taken it back. */
  private async tooLittle(
    orders: readonly OrderOfResource[],
    { pair, stake, blockTimeMs }: PairReading,
  ): Promise<Finding<DelegatedResourceSubject>> {
    const lent = { lent_sun: takeableSun(stake, blockTimeMs).toString(), least_sun: pair.leastSun.toString() };
    const absent: string[] = [];
    for (const order of orders) if (isLent(order) && !(await this.isInItsBlock(order))) absent.push(order.id);
    return absent.length > 0
      ? finding('delegation_missing', { ...lent, orders: absent }, subjectOf(pair))
      : finding('undelegation_foreign', lent, subjectOf(pair));
  }

  private async isInItsBlock({
    delegation_block: block,
    block_id: id,
    tx_id: txId,
  }: OrderOfResource): Promise<boolean> {
    return block !== null && txId !== null && this.blocks.have(txId, { number: Number(block), id });
  }
}

function tooMuch(orders: readonly OrderOfResource[], reading: PairReading): Finding<DelegatedResourceSubject>[] {
  const ours = ofAnOrder(orders, reading);
  if (!ours) return [foreign(reading)];
  return reading.stake.lockedSun > 0n ? [ours, foreign(reading)] : [ours];
}

/** The stake of one of the orders, when exactly so much is lent besides them. */
function ofAnOrder(
  orders: readonly OrderOfResource[],
  reading: PairReading,
): Finding<DelegatedResourceSubject> | undefined {
  const { pair, stake } = reading;
  const excessSun = stake.unlockedSun - pair.mostSun;
  if (excessSun <= 0n) return undefined;
  const asLarge = orders.filter(({ stake_sun: stakeSun }) => stakeSun === excessSun);
  const returned = asLarge.find(isBack);
  if (returned) {
    const { id: order, state } = returned;
    return finding('returned_stake_lent', { ...lentAtMost(reading), order, state }, subjectOf(pair));
  }
  const doubled = asLarge.find((order) => !isBack(order));
  return doubled && finding('delegation_double', { ...lentAtMost(reading), order: doubled.id }, subjectOf(pair));
}

function foreign(reading: PairReading): Finding<DelegatedResourceSubject> {
  const { pair, stake, blockTimeMs } = reading;
  if (stake.lockedSun === 0n) return finding('delegation_foreign', lentAtMost(reading), subjectOf(pair));
  const until = new Date(stake.lockedUntilMs).toISOString();
  const locked = { ...lentAtMost(reading), locked_sun: stake.lockedSun.toString(), until };
  return finding(
    isLockPast(stake, blockTimeMs) ? 'foreign_stake_past_lock' : 'foreign_stake_locked',
    locked,
    subjectOf(pair),
  );
}

function lentAtMost({ pair, stake }: PairReading): { lent_sun: string; most_sun: string } {
  return { lent_sun: stake.unlockedSun.toString(), most_sun: pair.mostSun.toString() };
}

function subjectOf({ walletId, wallet, receiver }: DelegatedResource): DelegatedResourceSubject {
  return { type: 'delegated_resource', walletId, wallet, receiver };
}
