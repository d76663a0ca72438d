import { expectChainTruth } from '../support/chain-truth';
import type { Answer, OrderWorld } from '../support/order-world';

/** Charged: landed in a final block, and paid for. Taken back: landed and never paid for. */
export type Outcome = 'charged' | 'taken back' | 'never landed';

/** What its caller was told, what stands on its row, and what came of it. */
export interface EndedOrder {
  readonly id: string;
  readonly txId: string;
  readonly receiver: string;
  readonly stakeSun: bigint;
  /** `success`, or the code of the error. */
  readonly answer: string;
  readonly outcome: Outcome;
}

interface Kept {
  readonly status: number;
  readonly code: string | null;
  readonly state: string | null;
  readonly txId: string | null;
}

/** `billed`: by the ledger, whatever the order's row says of its money. */
const ENDED = `
  select d.id, d.receiver, d.stake_sun, d.answer, d.answer_code, d.cost_sun, d.activates, t.tx_id, t.state as tx_state,
         (select coalesce(sum(l.amount_sun), 0)::bigint from ledger_entries l where l.delegation_id = d.id) as billed
    from delegations d left join chain_transactions t on t.subject_id = d.id and t.purpose = 'delegation'`;

const PRICE_SUN = 3_000_000n;
const ACTIVATION_SUN = 1_500_000n;

/** The answers that callers were given, to be held against rows, chain and money once everything is settled. */
export class KeptAnswers {
  private readonly kept = new Map<string, Kept>();

  /** The order's id, null where the request did not become one. */
  keep({ status, headers, body }: Answer): string | null {
    const id = headers.get('x-delegation-id');
    if (id === null) return null;
    expect(this.kept.has(id)).toBe(false);
    const txId = (body['txid'] as string | undefined) ?? null;
    this.kept.set(id, {
      status,
      code: headers.get('x-error-code'),
      state: headers.get('x-delegation-state'),
      txId,
    });
    return id;
  }

  /** Every order of the database, each of one transaction: it was answered as its row says, and billed as it was answered. */
  async expectToStand(world: OrderWorld, ofOthers: readonly string[] = []): Promise<EndedOrder[]> {
    await expectChainTruth(world, ofOthers);
    const rows = await world.query(ENDED);
    expect(new Set(rows.map((row) => row['id']))).toEqual(new Set(this.kept.keys()));
    return rows.map((row) => {
      const id = String(row['id']);
      expect({ id, ...this.kept.get(id)! }).toEqual({ id, ...asAnswered(row) });
      const hasLanded = row['tx_state'] === 'final';
      const isCharged = hasLanded && row['answer'] === 'success';
      const costSun = PRICE_SUN + (row['activates'] === true ? ACTIVATION_SUN : 0n);
      expect({ id, billed: row['billed'] }).toEqual({ id, billed: isCharged ? -costSun : 0n });
      return {
        id,
        txId: String(row['tx_id']),
        receiver: String(row['receiver']),
        stakeSun: row['stake_sun'] as bigint,
        answer: row['answer'] === 'success' ? 'success' : String(row['answer_code']),
        outcome: isCharged ? 'charged' : hasLanded ? 'taken back' : 'never landed',
      };
    });
  }
}

/** 501 is for stake that was not there; every other failure of an order that has a row is a 500. */
function asAnswered({ answer, answer_code: code, tx_id: txId }: Record<string, unknown>): Kept {
  if (answer === 'success') return { status: 200, code: null, state: String(code), txId: String(txId) };
  return { status: code === 'INSUFFICIENT_ENERGY' ? 501 : 500, code: String(code), state: null, txId: null };
}
