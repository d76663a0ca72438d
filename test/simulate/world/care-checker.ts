import type { Client } from 'pg';
import type { Kernel } from '../kernel/kernel';
import type { SimChain } from '../network/sim-chain';
import type { Plan } from './plan';
import type { Setting } from './setup';
import type { StakeTruth } from './stake-truth';

const DAY_MS = 86_400_000;
/** From a node's answer to the row of what follows from it. */
const LOOK_MS = 12_000;
/** An order takes two: a wallet that is short is refused orders for as long as a reading may be old. */
const SHORT = 12n;
const READING_MS = 120_000;

interface Operation {
  readonly id: string;
  readonly wallet: string;
  readonly kind: string;
  readonly resource: string | null;
  readonly amount_sun: string | null;
  readonly votes: readonly { readonly votes: string }[] | null;
  readonly occasion: string | null;
  readonly state: string;
  readonly tx_ids: readonly string[];
  /** When the bytes that were signed last expire. */
  readonly expires: number | null;
}

const OPERATIONS = `
  select o.id, w.address as wallet, o.kind, o.resource, o.amount_sun, o.votes, o.occasion, o.state,
         array(select t.tx_id from chain_transactions t where t.subject_id = o.id) as tx_ids,
         (select max(t.expiration_ms)::float8 from chain_transactions t where t.subject_id = o.id) as expires
    from stake_operations o join pool_wallets w on w.id = o.wallet_id order by o.id`;

interface Checked {
  readonly kernel: Kernel;
  readonly chain: SimChain;
  readonly database: Client;
  readonly plan: Plan;
  readonly truth: StakeTruth;
  readonly setting: Setting;
  readonly violated: (what: string) => void;
}

/** What the care of stakes and operators' acts on them must never do: looked at with each block. */
export class CareChecker {
  /** By wallet. */
  private readonly powers = new Map<string, { readonly atMs: number; readonly power: bigint }[]>();
  private readonly shortMs = new Map<string, number>();
  /** How few transactions a wallet has paid for: a node that shows it as it was long ago may show that. */
  private readonly leastPaid = new Map<string, bigint>();
  /** Operations whose votes have been judged. */
  private readonly judged = new Set<string>();
  private readonly lookMs: number;
  /** A liar shows stake that is not there: the network refuses what follows from it. */
  private readonly isLied: boolean;
  private readonly isShownOld: boolean;

  constructor(private readonly world: Checked) {
    const { actions } = world.plan;
    this.isLied = actions.some(({ kind }) => kind === 'node-lies');
    this.isShownOld = actions.some((one) => one.kind === 'node-lies' && one.lie === 'an account of long ago');
    const waits = actions.map((action) => (action.kind === 'stop' || action.kind === 'node-behind' ? action.forMs : 0));
    this.lookMs = LOOK_MS + waits.reduce((sum, one) => sum + one, 0);
  }

  /** The chain has changed, or what is to be in its next block. */
  see(): void {
    for (const { address } of this.cared()) {
      const seen = this.powers.get(address) ?? [];
      this.powers.set(address, [...seen, { atMs: this.world.kernel.nowMs, power: this.world.truth.power(address) }]);
    }
  }

  /** Whether it could pay for few more orders, as far as a reading may be old. */
  mayBeShort(address: string): boolean {
    return this.world.kernel.nowMs - (this.shortMs.get(address) ?? -Infinity) < READING_MS;
  }

  async check(): Promise<void> {
    const operations = (await this.world.database.query<Operation>({ name: 'sim_stake_operations', text: OPERATIONS }))
      .rows;
    for (const one of operations) this.checkVotes(one);
    this.checkClaims(operations);
    await this.checkPromises(operations);
  }

  private cared() {
    return this.world.setting.wallets.filter((_, at) => this.world.plan.care?.[at]);
  }

  private checkVotes({ id, wallet, kind, votes }: Operation): void {
    if (kind !== 'vote' || this.judged.has(id)) return;
    this.judged.add(id);
    const cast = votes!.reduce((sum, one) => sum + BigInt(one.votes), 0n);
    const fromMs = this.world.kernel.nowMs - this.lookMs;
    const seen = this.powers.get(wallet)!;
    // The last one before that was in force then.
    const first = seen.findLastIndex(({ atMs }) => atMs <= fromMs);
    const most = seen.slice(Math.max(first, 0)).reduce((found, { power }) => (power > found ? power : found), 0n);
    if (cast > most) this.world.violated(`a vote of ${wallet} casts ${cast} votes, and its power is ${most}: ${id}`);
  }

  /** An operator may claim as well, and the network refuses it. */
  private checkClaims(operations: readonly Operation[]): void {
    const last = new Map<string, number>();
    for (const { wallet, kind, occasion, expires } of operations) {
      if (kind !== 'claim' || occasion === null || expires === null) continue;
      const before = last.get(wallet);
      if (before !== undefined && Math.abs(expires - before) < DAY_MS)
        this.world.violated(`two claims of ${wallet} were signed within ${Math.abs(expires - before)} ms`);
      last.set(wallet, expires);
    }
  }

  private async checkPromises(operations: readonly Operation[]): Promise<void> {
    const promised = await this.world.truth.promised();
    const usedByOthers = new Set(this.world.chain.foreignTxIds.values());
    for (const { address } of this.cared()) {
      const { due = 0n, promisedSun = 0n } = promised.get(address) ?? {};
      const paid = await this.world.truth.paid(address);
      const shown = this.isShownOld ? least(paid, this.leastPaid.get(address) ?? paid) : paid;
      this.leastPaid.set(address, shown);
      if (shown < due + SHORT) this.shortMs.set(address, this.world.kernel.nowMs);
      if (this.isLied || usedByOthers.has(address)) continue;
      if (due > 0n && paid + this.actsOf(address) < due)
        this.world.violated(`${address} pays for ${paid} transactions, and its orders still take ${due}`);
      const unfreezing = operations
        .filter((one) => one.wallet === address && one.kind === 'unfreeze' && one.resource === 'energy')
        .filter(({ state, tx_ids: txIds }) => state !== 'failed' && !this.world.truth.isInBlock(txIds))
        .reduce((sum, { amount_sun: sun }) => sum + BigInt(sun!), 0n);
      const { frozenSun } = this.world.truth.account(address).energy;
      if (promisedSun + unfreezing > frozenSun)
        this.world.violated(
          `${address} has ${frozenSun} sun that are not lent, ${promisedSun} are promised to orders and ${unfreezing} being unfrozen`,
        );
    }
  }

  private actsOf(address: string): bigint {
    return BigInt([...this.world.chain.handTxIds.values()].filter((one) => one === address).length);
  }
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
