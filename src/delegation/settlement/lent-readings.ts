import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';
import { ChainReads } from '../../chain/tron/node/chain-reads';
import { NodeUnavailableError } from '../../chain/tron/node/node-errors';
import { IS_OPEN } from '../../chain/transactions/outbox/chain-transaction.entity';
import type { OutboxRow } from '../../chain/transactions/outbox/outbox-row';
import { IS_LENT_ORDER } from '../../common/order.states';
import { ACTIVATION, DELEGATION, RECLAIM } from '../transaction-kinds';

/** What disagrees, or could not be read, is not read again with every block. */
const AGAIN_MS = 30_000;

/** What our rows say of a transaction's wallet and receiver, besides its own order. */
interface Between {
  readonly wallet_address: string;
  readonly amount_sun: bigint;
  readonly stake_sun: bigint;
  readonly lent_sun: bigint;
  /** The part of the lent stake that is being taken back. */
  readonly going_sun: bigint;
  /** Delegations that nothing is decided about. */
  readonly coming_sun: bigint;
  readonly settled_block: bigint;
}

const isOpen = ({ name }: typeof DELEGATION) =>
  `exists (select from chain_transactions x where x.subject_id = o.id and x.purpose = '${name}' and x.${IS_OPEN})`;
/** By all wallets of this address: one may have left the pool and come again. The blocks are found by the orders of the receiver. */
const BETWEEN = statement<[transactionId: bigint], Between>(
  'unproved_between',
  `select w.address as wallet_address, t.amount_sun, d.stake_sun, pair.lent_sun, pair.going_sun, pair.coming_sun, pair.settled_block
     from chain_transactions t
     join delegations d on d.id = t.subject_id
     join pool_wallets w on w.id = t.wallet_id,
     lateral (
       select coalesce(sum(o.stake_sun) filter (where o.${IS_LENT_ORDER}), 0)::bigint as lent_sun,
              coalesce(sum(o.stake_sun) filter (where o.${IS_LENT_ORDER} and ${isOpen(RECLAIM)}), 0)::bigint as going_sun,
              coalesce(sum(o.stake_sun) filter (where ${isOpen(DELEGATION)}), 0)::bigint as coming_sun,
              coalesce(max(settled.block_number), 0)::bigint as settled_block
         from delegations o, lateral (
           select max(x.block_number) as block_number from chain_transactions x
            where x.subject_id = o.id and x.purpose in ('delegation', 'reclaim') and x.state = 'final') settled
        where o.receiver = t.receiver and o.id <> t.subject_id
          and o.wallet_id in (select p.id from pool_wallets p where p.address = w.address)) pair
    where t.id = $1`,
);

/**
 * Whether solid readings of every configured node agree with what is to be concluded about a transaction from a block that cannot be
 * proved: what its wallet lends its receiver, besides what our other orders have there; for an activation, that its receiver exists. Stake
 * that a stranger has lent there too hides that nothing landed: then an operator has to decide.
 */
@Injectable()
export class LentReadings {
  private readonly againMs = new Map<bigint, number>();

  constructor(
    private readonly sql: Sql,
    private readonly reads: ChainReads,
    private readonly clock: Clock,
  ) {}

  /**
   * @param hasLanded whether it is to be final, or dead
   * @param number the block by whose time that is so: older readings say nothing
   */
  async agree(row: OutboxRow, hasLanded: boolean, number: number): Promise<boolean> {
    const nowMs = this.clock.monotonicMs();
    if (nowMs < (this.againMs.get(row.id) ?? 0)) return false;
    const isAgreed = await this.ask(row, hasLanded, number).catch(unknown);
    if (isAgreed) this.againMs.delete(row.id);
    else this.againMs.set(row.id, nowMs + AGAIN_MS);
    return isAgreed;
  }

  private async ask(row: OutboxRow, hasLanded: boolean, number: number): Promise<boolean> {
    if (row.purpose === ACTIVATION.name && !hasLanded) return true;
    const between = await this.sql.row(BETWEEN, [row.id]);
    if (!between) return false;
    const least = Math.max(number, Number(between.settled_block));
    const said = await Promise.all(
      this.reads.allSolidUrls.map(async (url) => {
        if ((await this.reads.solidHead(url)).number < least) return false;
        if (row.purpose === ACTIVATION.name) return (await this.reads.solidState(row.receiver!, url)) === 'active';
        const { unlockedSun } = await this.reads.delegatedStake(between.wallet_address, row.receiver!, url);
        // Behind a gateway the reading may come from a node that lags.
        if ((await this.reads.solidHead(url)).number < least) return false;
        return isCredible(row.purpose, hasLanded, unlockedSun, between);
      }),
    );
    return said.length > 0 && said.every(Boolean);
  }
}

/** The wallet must lend at least, or at most, what it would lend then, however the undecided transactions end. */
function isCredible(purpose: string, hasLanded: boolean, lentSun: bigint, between: Between): boolean {
  const { amount_sun: amountSun, stake_sun: stakeSun } = between;
  const [leastSun, mostSun] = [between.lent_sun - between.going_sun, between.lent_sun + between.coming_sun];
  if (purpose === DELEGATION.name) return hasLanded ? lentSun >= leastSun + amountSun : lentSun <= mostSun;
  return hasLanded ? lentSun <= mostSun + stakeSun - amountSun : lentSun >= leastSun + amountSun;
}

function unknown(error: unknown): false {
  if (error instanceof NodeUnavailableError) return false;
  throw error;
}
