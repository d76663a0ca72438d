import type { Client } from 'pg';
import { STAKE_READ } from '../../../src/delegation/reclaim/reclaim.statements';
import type { EnergyRates } from './energy-rates';
import type { Plan, PlannedOrder } from './plan';
import { ACTIVATION_SUN, priceSun } from './price-checker';
import { type Setting, STAKE_OF_ORDER_SUN } from './setup';

const ENERGY = 65_000n;
/** Above what is taken for one order, whatever the network's stake. */
const STAKE_MARGIN = { parts: 11n, of: 10n };

/** The least that may have been free in the last minute: what was given back in it counts as held. */
const LEAST_SPENDABLE = `
  select (a.balance_sun - a.held_sun - coalesce((select sum(h.amount_sun) from holds h
            where h.user_id = a.user_id and h.state = 'released' and h.settled_at > $2::timestamptz - interval '1 minute'), 0))::bigint as sun
    from accounts a where a.user_id = $1`;
const LEAST_OF_TOKEN = `
  select (t.daily_limit_sun - coalesce((select sum(h.counted_sun) from holds h join token_days d on d.id = h.token_day_id
            where d.token_id = t.id and (h.state <> 'released' or h.settled_at > $2::timestamptz - interval '1 minute')), 0))::bigint as sun
    from api_tokens t where t.id = $1`;
/** Stake of a wallet that is taken at most: all that is lent, promised, or has come back too lately to have been read. */
const MOST_TAKEN = `
  select coalesce(sum(d.stake_sun), 0)::bigint as sun
    from pool_wallets w left join delegations d on d.wallet_id = w.id
     and (d.state not in ('reclaimed', 'taken_back', 'failed')
          or (select max(e.at) from delegation_events e where e.delegation_id = d.id)
             > least(w.observed_at, $2::timestamptz - interval '1 minute') - interval '90 seconds')
   where w.address = $1 and w.state = 'active' and w.resting_until is null and w.observed_at is not null
   group by w.id`;
/** One that has failed counts, too: it was free again at a time that no row has. */
const UNFROZEN = `
  select coalesce(sum(o.amount_sun), 0)::bigint as sun from stake_operations o join pool_wallets w on w.id = o.wallet_id
   where w.address = $1 and o.kind = 'unfreeze' and o.resource = 'energy' and $2::timestamptz is not null`;
/** While rows may be missing, what a wallet has lent a receiver is compared with the chain, and it lends nothing to that one meanwhile. */
const IS_COMPARED = `
  select count(*)::bigint as sun from delegations d join pool_wallets w on w.id = d.wallet_id
   where w.address = $1 and d.receiver = $3
     and (d.stake_missing
          or exists (select from delegation_events e where e.delegation_id = d.id and e.kind = '${STAKE_READ}'
                        and e.at > $2::timestamptz - interval '1 minute'))`;

/** Whether what an order was refused for was lacking, by the rows and the chain's own stake; null: it may have been. */
export class RefusalJudge {
  constructor(
    private readonly database: Client,
    private readonly plan: Plan,
    private readonly rates: EnergyRates,
    private readonly isForeign: () => boolean,
    private readonly now: () => Date,
    private readonly mayLackTrx: (wallet: string) => boolean,
    private readonly mayBeAtLimit: (stakeSun: bigint, activates: boolean) => boolean,
  ) {}

  async wrongly(code: string, order: PlannedOrder, setting: Setting): Promise<string | null> {
    const user = setting.users[order.user]!;
    const mostSun = priceSun(this.plan.settings['BILLING_VARIANT']!, order.amount) + ACTIVATION_SUN;
    if (code === 'SIGNER_UNAVAILABLE') return this.wronglyUnsigned(order);
    if (code === 'INSUFFICIENT_ENERGY') return this.wronglyWithoutEnergy(order, setting);
    const [text, id] =
      code === 'INSUFFICIENT_BALANCE'
        ? [LEAST_SPENDABLE, user.id]
        : code === 'TOKEN_LIMIT_REACHED'
          ? [LEAST_OF_TOKEN, user.tokenId]
          : [null, null];
    if (text === null) return null;
    const sun = await this.read(text, id);
    if (code === 'TOKEN_LIMIT_REACHED' && sun === null) return `${code} was said to a token without a limit`;
    return sun !== null && sun >= mostSun ? `${code} was said where ${sun} sun were free of at most ${mostSun}` : null;
  }

  /** The signer works again, and no key has reached its limit. */
  private wronglyUnsigned(order: PlannedOrder): string | null {
    const isRight = this.mayBeAtLimit(this.mostStakeSun(order), order.activate);
    return isRight ? null : 'SIGNER_UNAVAILABLE was said where no key of the signer is at its limit';
  }

  private mostStakeSun({ amount }: PlannedOrder): bigint {
    const energy = (BigInt(Math.round(amount * 1_000)) * ENERGY) / 1_000n;
    return (this.rates.mostStakeSun(energy) * STAKE_MARGIN.parts) / STAKE_MARGIN.of;
  }

  private async wronglyWithoutEnergy(order: PlannedOrder, setting: Setting): Promise<string | null> {
    if (this.isForeign()) return null;
    const mostSun = this.mostStakeSun(order);
    for (const [at, { address }] of setting.wallets.entries()) {
      const takenSun = await this.read(MOST_TAKEN, address);
      if (takenSun === null || (await this.read(IS_COMPARED, address, setting.receivers[order.receiver]!))) continue;
      if (this.mayLackTrx(address)) continue;
      const unfrozenSun = (await this.read(UNFROZEN, address))!;
      const freeSun = BigInt(this.plan.walletOrders[at]!) * STAKE_OF_ORDER_SUN - takenSun - unfrozenSun;
      if (freeSun >= mostSun) return `INSUFFICIENT_ENERGY was said where ${address} has ${freeSun} sun free`;
    }
    return null;
  }

  private async read(text: string, ...[id, ...others]: string[]): Promise<bigint | null> {
    const values = [id, this.now().toISOString(), ...others];
    const { rows } = await this.database.query<{ sun: string | null }>(text, values);
    return rows[0]?.sun ? BigInt(rows[0].sun) : null;
  }
}
