import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { FinalFeed } from '../chain/observer/final-feed';
import { HoldingReads } from '../chain/tron/node/holding-reads';
import { Clock } from '../common/clock';
import { claimTurn } from '../database/claim-turn.sql';
import { Sql } from '../database/sql';
import { statement } from '../database/statement';
import { utcMicroseconds } from '../database/utc-timestamp';
import { LOCK_ADDRESS } from './by-hand.statements';
import { IS_BOOKED, IS_USED } from './left-out-addresses';
import { SCANNER } from './scanner-name';

/** At most so many in a run, each again after so long: an address costs four calls of each node. */
const MOST_A_RUN = 20;
const AGAIN_MS = 600_000;
/** For an operator: the scanner is behind the nodes for a moment after each block. */
const [LOOK_MS, PATIENCE_MS] = [1_000, 10_000];
/** A finding names so many transactions of an address. */
const MOST_TXIDS = 5;

export interface UnexplainedHolding {
  /** Null: the database does not know whose address it is (a restore). */
  readonly user_id: string | null;
  readonly address: string;
  /** The i of 0/i. */
  readonly number: number;
  readonly sun: bigint;
  readonly usdt: bigint;
  readonly since: string;
  /** The newest transfers to an address of no known customer; none for others. */
  readonly txids: readonly string[];
}

/** A reading of a time to come was noted while the clock was ahead, and puts off no other. */
const IS_OLD = `read_at not between clock_timestamp() - $1::integer * interval '1 millisecond' and clock_timestamp()`;
const inOrder = (condition: string, order: string) =>
  `(select address, row_number() over (order by ${order}) as place from deposit_addresses a where ${condition} order by ${order} limit $2)`;
/** Each doubt about the database's rows leaves out a thousand addresses, most of which no customer knows: of so many readings one is theirs. */
const ONE_LEFT_OUT_IN = 10;
/** Each deposit has its address read again: where many come, every second reading is still one of an address that waits in turn. */
const NEXT = statement<[againMs: number, most: number], { address: string }>(
  'deposit_addresses_to_read',
  `select address from (${inOrder(`read_at is null and ${IS_USED('a')}`, 'address')}
      union all
      ${inOrder(`read_at is not null and ${IS_OLD} and ${IS_USED('a')}`, 'read_at nulls first, address')}
      union all
      select address, place * ${ONE_LEFT_OUT_IN} from ${inOrder(`not ${IS_USED('a')} and (read_at is null or ${IS_OLD})`, 'read_at nulls first, address')} unused) waiting
    order by place, address limit $2`,
);
/** Each activation by the pool brings TRX. */
const ACTIVATED = `(select coalesce(sum(t.amount_sun), 0) from delegations o join chain_transactions t on t.subject_id = o.id
        where o.receiver = $1 and o.activates and t.purpose = 'activation' and t.state = 'final')`;
/** What came in by what the rows say, also what operators have booked by hand after a restore, less what sweeps had taken by the block from which on the nodes speak: a later one may still be in what they say. */
const recorded = (asset: string) =>
  `((select coalesce(sum(d.amount), 0) from deposits d where d.address = $1 and d.asset = '${asset}' and d.state <> 'dropped')
    + (select coalesce(sum(p.amount), 0) from left_out_payments p where p.address = $1 and p.asset = '${asset}' and ${IS_BOOKED('p')})
    - (select coalesce(sum(s.amount), 0) from deposit_sweeps s
        where s.address = $1 and s.asset = '${asset}' and s.state = 'final' and s.block_number <= $4))`;
/** After `LOCK_ADDRESS`: what operators have credited meanwhile is among the deposits. */
const READ = statement<[address: string, sun: bigint, units: bigint, since: number]>(
  'deposit_address_read',
  `update deposit_addresses a
      set read_at = clock_timestamp(), unexplained_sun = n.sun, unexplained_usdt = n.usdt,
          unexplained_since = case when n.sun > 0 or n.usdt > 0 then coalesce(a.unexplained_since, clock_timestamp()) end
     from (select greatest(0, $2::bigint - ${recorded('TRX')} - ${ACTIVATED}) as sun, greatest(0, $3::bigint - ${recorded('USDT')}) as usdt) n
    where a.address = $1`,
);
const sumOf = (asset: string) => `coalesce(sum(amount) filter (where asset = '${asset}'), 0)`;
/** A proved payment to an address of no known customer counts before the address is read. */
const LIST = statement<[leastSun: bigint, leastUsdt: bigint], UnexplainedHolding>(
  'deposit_addresses_unexplained',
  `with paid as (
     select address, ${sumOf('TRX')} as sun, ${sumOf('USDT')} as usdt, min(found_at) as since,
            (array_agg(txid order by block_number desc, txid))[1:${MOST_TXIDS}] as txids
       from left_out_payments p where not ${IS_BOOKED('p')} group by address
   ), credited as (
     select address, ${sumOf('TRX')} as sun, ${sumOf('USDT')} as usdt from deposits
      where address in (select address from paid) and state <> 'dropped' group by address
   ), held as (
     select a.user_id, a.address, a.number, coalesce(p.txids, '{}') as txids, least(a.unexplained_since, p.since) as since,
            greatest(a.unexplained_sun, p.sun - coalesce(c.sun, 0))::bigint as sun,
            greatest(a.unexplained_usdt, p.usdt - coalesce(c.usdt, 0))::bigint as usdt
       from deposit_addresses a left join paid p using (address) left join credited c using (address)
      where a.unexplained_since is not null or p.address is not null
   )
   select user_id, address, number, sun, usdt, txids, ${utcMicroseconds('since')} as since
     from held where sun >= $1 or usdt >= $2 order by held.since, address`,
);
/** One instance reads. */
const CLAIM_TURN = statement<[everyMs: number], { name: string }>(
  'deposit_holdings_claim_turn',
  `${claimTurn('deposit-holdings', '$1')} returning name`,
);

/**
 * What addresses hold, as nodes say, beside what deposits explain: what contracts have paid, and what came in a block that cannot be proved.
 * It is shown to operators and moves no money by itself.
 */
@Injectable()
export class UnexplainedHoldings {
  private readonly logger = new Logger(UnexplainedHoldings.name);

  constructor(
    private readonly sql: Sql,
    private readonly reads: HoldingReads,
    private readonly feed: FinalFeed,
    private readonly clock: Clock,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  async runInTurn(everyMs: number): Promise<void> {
    if (this.configuration.deposits && (await this.sql.row(CLAIM_TURN, [everyMs]))) await this.run();
  }

  /** The addresses that were read the longest ago. */
  async run(againMs = AGAIN_MS): Promise<void> {
    for (const { address } of await this.sql.rows(NEXT, [againMs, MOST_A_RUN])) {
      try {
        await this.read(address);
      } catch (error) {
        this.logger.warn({ err: error }, `What ${address} holds was not read`);
      }
    }
  }

  /** Those worth a deposit. */
  async list(): Promise<UnexplainedHolding[]> {
    const { deposits } = this.configuration;
    return deposits ? this.sql.rows(LIST, [deposits.leastSun, deposits.leastUsdt]) : [];
  }

  /**
   * As nodes say now. False while deposits of blocks that the nodes count may be unknown here: what was read before stands then.
   * @throws NodeUnavailableError
   */
  async read(address: string): Promise<boolean> {
    const { since, block, sun, units } = await this.reads.read(address, this.configuration.nodes.usdtContract);
    if (((await this.feed.placeOf(SCANNER)) ?? -1) < block) return false;
    await this.sql.transaction(async (tx) => {
      await tx.row(LOCK_ADDRESS, [address]);
      await tx.execute(READ, [address, sun, units, since]);
    });
    return true;
  }

  /**
   * Looks again while the scanner is behind, for ten seconds at most. Each look asks the nodes again: the answer of before might be of a
   * branch that has been undone meanwhile.
   * @throws NodeUnavailableError
   */
  async readPatiently(address: string): Promise<boolean> {
    const giveUpAtMs = this.clock.monotonicMs() + PATIENCE_MS;
    for (;;) {
      if (await this.read(address)) return true;
      if (this.clock.monotonicMs() >= giveUpAtMs) return false;
      await this.clock.sleep(LOOK_MS);
    }
  }
}
