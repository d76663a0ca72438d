import { createHash } from 'node:crypto';
import type { NodeCall } from '../support/node-proxy';
import type { OrderWorld } from '../support/order-world';

const BROADCAST = 'wallet/broadcasttransaction';
const PURPOSES: Readonly<Record<string, string>> = {
  DelegateResourceContract: 'delegation',
  UnDelegateResourceContract: 'reclaim',
  TransferContract: 'activation',
};

export interface SentTransaction {
  /** Id of the bytes themselves, whatever the call says. */
  readonly txId: string;
  readonly purpose: string;
}

interface SentBody {
  readonly raw_data: { readonly contract: readonly { readonly type: string }[] };
  readonly raw_data_hex: string;
  readonly signature: readonly string[];
}

/** All bytes that ever reached the node, as it saw them: the database could not keep a second signature of an order, the wire could. */
export class SentTransactions {
  private readonly purposes = new Map<string, string>();
  private readonly signatures = new Map<string, Set<string>>();

  /** Null for a call that is not a broadcast. */
  note({ route, body }: NodeCall): SentTransaction | null {
    if (route !== BROADCAST) return null;
    const { raw_data: data, raw_data_hex: hex, signature } = body as unknown as SentBody;
    const txId = createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex');
    const purpose = PURPOSES[data.contract[0]!.type] ?? data.contract[0]!.type;
    this.purposes.set(txId, purpose);
    this.signatures.set(txId, (this.signatures.get(txId) ?? new Set()).add(signature.join().toLowerCase()));
    return { txId, purpose };
  }

  has(txId: string): boolean {
    return this.purposes.has(txId);
  }

  /**
   * Each order's one delegation reached the node under one signature, and nothing that has no row did. Gives those that never did: their
   * callers have been told of a failure.
   */
  async expectOfRows(world: OrderWorld): Promise<string[]> {
    const rows = await world.query(
      `select t.tx_id, t.purpose, d.answer from chain_transactions t join delegations d on d.id = t.subject_id`,
    );
    const known = new Map(rows.map((row) => [String(row['tx_id']), String(row['purpose'])]));
    const strange = [...this.purposes].filter(([txId, purpose]) => known.get(txId) !== purpose);
    expect(strange).toEqual([]);
    expect([...this.signatures].filter(([, signatures]) => signatures.size !== 1)).toEqual([]);
    const unsent = rows.filter((row) => row['purpose'] === 'delegation' && !this.has(String(row['tx_id'])));
    expect(unsent.filter((row) => row['answer'] !== 'failure')).toEqual([]);
    return unsent.map((row) => String(row['tx_id']));
  }
}
