import { createHmac } from 'node:crypto';
import type { Client } from 'pg';
import type { SimRequest } from './http-edge';

export interface WebhookEvent {
  readonly type: string;
  readonly data: {
    readonly id: string;
    readonly state: string;
    readonly answer: string;
    readonly receiver_address: string;
    readonly amount: number;
    readonly cost: number;
    readonly txid: string | null;
    readonly reclaim_txid: string | null;
  };
}

/** What has to be true of an order, for good, once its receiver hears of it. */
const TRUE_STATES: Readonly<Record<string, readonly string[]>> = {
  'delegation.delegated': ['delegated', 'reclaiming', 'reclaimed'],
  'delegation.failed': ['failed', 'taking_back', 'taken_back'],
  'delegation.reclaimed': ['reclaimed', 'taken_back'],
};
/** What an order costs nothing in. */
const FREE_STATES = ['failed', 'taking_back', 'taken_back'];
const IN_A_BLOCK = ['delegation.included', 'delegation.delegated', 'delegation.reclaimed'];
/** As Standard Webhooks has receivers refuse what is older, or newer. */
const TOLERANCE_MS = 300_000;

interface Row {
  readonly is_written: boolean;
  readonly state: string | null;
  readonly answer: string | null;
  readonly email: string | null;
  readonly receiver: string | null;
  readonly transactions: string | null;
  readonly cost_sun: string | null;
  readonly delegation: string | null;
  readonly reclaims: readonly string[] | null;
}

const ROW = `
  select exists (select from webhook_deliveries where id = $1) as is_written, d.state, d.answer, u.email, d.receiver, d.transactions,
         d.cost_sun, (select t.tx_id from chain_transactions t where t.subject_id = d.id and t.purpose = 'delegation') as delegation,
         array(select t.tx_id from chain_transactions t where t.subject_id = d.id and t.purpose = 'reclaim') as reclaims
    from (select $2::uuid as id) o left join delegations d using (id) left join users u on u.id = d.user_id`;

/** The secret of the user at this place, as set-up gives it. */
export function secretOf(at: number): Buffer {
  return Buffer.alloc(32, at);
}

/** Null: as its receiver has to be able to check by itself, without the service. `offMs`: how far the database's clock may be off. */
export function wrongSignature(
  { headers, url }: SimRequest,
  body: string,
  { nowMs, offMs: clockOffMs }: { readonly nowMs: number; readonly offMs: number },
): string | null {
  const header = (name: string) => String(headers[`webhook-${name}`]);
  const [id, timestamp, given] = [header('id'), header('timestamp'), header('signature')];
  const secret = secretOf(Number(url.pathname.slice(1)));
  const due = `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  if (!given.split(' ').includes(due)) return `webhook ${id} has the signature ${given} instead of ${due}`;
  const offMs = Math.abs(Number(timestamp) * 1_000 - nowMs);
  return offMs <= TOLERANCE_MS + clockOffMs ? null : `webhook ${id} is signed ${offMs / 1_000} s beside the time`;
}

/** What of an event is not true of its order, by its row and by the blocks there ever were. */
export async function untruths(
  database: Client,
  everIncluded: ReadonlyMap<string, number>,
  { id, at }: { readonly id: string; readonly at: number },
  { type, data }: WebhookEvent,
): Promise<string[]> {
  const orderId = type.startsWith('delegation.') ? data.id : null;
  const { rows } = await database.query<Row>({ name: 'sim_is_true', text: ROW, values: [id, orderId] });
  const row = rows[0]!;
  const found: string[] = [];
  if (!row.is_written) found.push(`webhook ${id} (${type}) was sent and is not committed`);
  if (orderId === null) return found;
  const states = TRUE_STATES[type];
  if (states && !states.includes(row.state ?? 'none'))
    found.push(`webhook ${type} was sent of order ${orderId}, which is ${row.state ?? 'not committed'}`);
  if (row.state === null) return found;
  const name = `webhook ${type} of order ${orderId}`;
  if (row.email !== `${at}@example.com`) found.push(`${name}, of ${row.email}, went to another user, ${at}`);
  if (data.answer !== 'none' && data.answer !== row.answer)
    found.push(`${name} says that it was answered with ${data.answer}, and it was with ${row.answer}`);
  const isFree = data.answer === 'failure' || FREE_STATES.includes(data.state);
  const said = [data.receiver_address, data.amount, Math.round(data.cost * 1_000_000)].join(' ');
  const due = [row.receiver, Number(row.transactions), isFree ? 0 : Number(row.cost_sun)].join(' ');
  if (said !== due) found.push(`${name} says ${said}, its row ${due}`);
  if (data.txid !== null && data.txid !== row.delegation)
    found.push(`${name} has the txid ${data.txid} of none of its`);
  if (data.reclaim_txid !== null && !row.reclaims!.includes(data.reclaim_txid))
    found.push(`${name} has the reclaim ${data.reclaim_txid}, which is none of its`);
  if (IN_A_BLOCK.includes(type) && !everIncluded.has(data.txid ?? ''))
    found.push(`${name} was sent, and ${data.txid} never was in a block`);
  return found;
}
