type Query = (text: string, values: unknown[]) => Promise<Record<string, unknown>[]>;

/** A final transaction has no signature any more. */
const FIND = `
  select purpose from chain_transactions
   where tx_id = $1 and raw_data = decode($2, 'hex') and (signature = decode($3, 'hex') or state = 'final')`;

/** The purpose of what a node is sent, by the row that has exactly these bytes. Null: no instance has committed one. */
export async function committedPurpose(query: Query, body: Record<string, unknown>): Promise<string | null> {
  const [signature] = body['signature'] as string[];
  const [row] = await query(FIND, [body['txID'], body['raw_data_hex'], signature]);
  return row ? String(row['purpose']) : null;
}
