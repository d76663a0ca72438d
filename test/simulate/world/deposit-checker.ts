import type { Client } from 'pg';
import type { SimChain } from '../network/sim-chain';
import type { WebhookServer } from '../network/webhook-server';
import type { Included, Payments } from './payments';
import type { Payment } from './plan';
import { LEAST_UNITS, RATE_MAX_AGE_MS } from './plan-deposits';
import type { Setting } from './setup';
import type { Tally } from './tally';

interface Entry {
  readonly reference: string;
  readonly amount_sun: string;
  readonly user_id: string;
}

interface DepositRow {
  readonly id: string;
  readonly txid: string;
  readonly user_id: string;
  readonly amount: string;
  readonly asset: string;
  readonly state: string;
  readonly credit_sun: string | null;
}

interface Due {
  readonly state: 'credited' | 'too_small' | 'waiting';
  readonly sun: bigint;
}

interface Checked {
  readonly database: Client;
  readonly chain: SimChain;
  readonly payments: Payments;
  readonly setting: Setting;
  readonly violated: (what: string) => void;
}

const ENTRIES = `select reference, amount_sun, user_id from ledger_entries where kind = 'deposit' order by id`;
const DEPOSITS = 'select id, txid, user_id, amount, asset, state, credit_sun from deposits order by id';
const OPEN = `select number, (select count(*)::int from deposits where state = 'seen') as seen from followed_blocks where subscriber = 'deposits'`;
const UNITS_PER_USDT = 1_000_000n;

/** Compares what customers are credited with what the chain's own blocks have, each time a block is about to be made and at the end. */
export class DepositChecker {
  constructor(private readonly world: Checked) {}

  /** Each credit is of a payment in a final block, once and to the sun. */
  async check(): Promise<void> {
    const { rows } = await this.world.database.query<Entry>({ name: 'sim_deposit_entries', text: ENTRIES });
    const credited = new Set<string>();
    for (const entry of rows) {
      const wrong = this.wrongOf(entry);
      if (wrong !== null) this.world.violated(wrong);
      const txid = txidOf(entry);
      if (credited.has(txid)) this.world.violated(`the payment ${txid} was credited twice`);
      credited.add(txid);
    }
  }

  /** Null once every payment in a block has been looked at. */
  async openWork(): Promise<string | null> {
    const { rows } = await this.world.database.query<{ number: string; seen: number }>(OPEN);
    const newest = Math.max(0, ...this.inFinal().map(([, { height }]) => height));
    const { number, seen } = rows[0]!;
    if (Number(number) < newest) return `deposits are looked for up to block ${number} of ${newest}`;
    return seen > 0 ? `${seen} deposits are not decided` : null;
  }

  async checkEnd(hooks: WebhookServer, tally: Tally): Promise<string[]> {
    await this.check();
    const { rows } = await this.world.database.query<DepositRow>(DEPOSITS);
    const byTxid = new Map(rows.map((row) => [row.txid, row]));
    const final = new Map(this.inFinal());
    const listening = await this.world.database.query<{ user_id: string }>('select user_id from webhooks');
    const listeners = new Set(listening.rows.map(({ user_id: id }) => id));
    const found = [...final].flatMap(([txid, included]) => {
      const payment = this.world.payments.due.get(txid)!;
      const due = this.dueOf(payment, included);
      const row = byTxid.get(txid);
      tally.add(`deposit ${due.state}`);
      if (!row) return [`the payment ${txid} is in block ${included.height} and in no row`];
      const said = [row.user_id, row.asset, row.amount, row.state, row.credit_sun ?? 0].join(' ');
      const user = this.world.setting.users[payment.user]!.id;
      const should = [user, payment.asset, payment.units, due.state, due.sun].join(' ');
      const times = timesTold(hooks, row.id);
      const isTold = !listeners.has(user) || times === (due.state === 'credited' ? 1 : 0);
      return [
        ...(said === should ? [] : [`the payment ${txid} should be ${should}, its row is ${said}`]),
        ...(isTold ? [] : [`the credit of ${txid} was told ${times} times`]),
      ];
    });
    for (const { txid, state } of rows)
      if (!final.has(txid) && state !== 'dropped') found.push(`the deposit ${txid} is ${state}, and no block has it`);
    const credits = await this.world.database.query<Entry>(ENTRIES);
    const due = [...final].filter(
      ([txid, at]) => this.dueOf(this.world.payments.due.get(txid)!, at).state === 'credited',
    );
    if (credits.rows.length !== due.length)
      found.push(`${due.length} payments are due, ${credits.rows.length} credited`);
    return found;
  }

  private wrongOf(entry: Entry): string | null {
    const { payments, chain, setting } = this.world;
    const txid = txidOf(entry);
    const payment = payments.due.get(txid);
    if (!payment)
      return `${entry.reference} was credited, and is no payment${payments.undue.has(txid) ? ' that counts' : ''}`;
    const included = payments.included(txid);
    if (!included) return `the payment ${txid} was credited, and no block has it as a success`;
    if (included.height > chain.node.finalHeight)
      return `the payment ${txid} was credited from block ${included.height}, and ${chain.node.finalHeight} is final`;
    const { state, sun } = this.dueOf(payment, included);
    if (state !== 'credited') return `the payment ${txid} was credited, and is ${state}`;
    const user = setting.users[payment.user]!.id;
    if (BigInt(entry.amount_sun) === sun && entry.user_id === user) return null;
    return `the payment ${txid} was credited with ${entry.amount_sun} sun to ${entry.user_id} instead of ${sun} to ${user}`;
  }

  private inFinal(): [string, Included][] {
    const { payments, chain } = this.world;
    return [...payments.due.keys()].flatMap((txid): [string, Included][] => {
      const included = payments.included(txid);
      return included && included.height <= chain.node.finalHeight ? [[txid, included]] : [];
    });
  }

  private dueOf({ asset, units }: Payment, { timeMs }: Included): Due {
    const amount = BigInt(units);
    if (amount < LEAST_UNITS[asset]) return { state: 'too_small', sun: 0n };
    if (asset === 'TRX') return { state: 'credited', sun: amount };
    const rate = this.world.payments.rates.findLast(({ sinceMs }) => sinceMs <= timeMs);
    const isOld = rate === undefined || timeMs - rate.sinceMs > RATE_MAX_AGE_MS;
    const sunPerUsdt = isOld ? null : rate.sunPerUsdt;
    if (sunPerUsdt === null) return { state: 'waiting', sun: 0n };
    return { state: 'credited', sun: (amount * sunPerUsdt) / UNITS_PER_USDT };
  }
}

function txidOf({ reference }: Entry): string {
  return reference.split(':')[0]!;
}

function timesTold(hooks: WebhookServer, id: string): number {
  return [...hooks.received.values()].filter(({ type, data }) => type === 'deposit.credited' && data.id === id).length;
}
