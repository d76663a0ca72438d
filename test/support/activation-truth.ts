import type { OrderWorld } from './order-world';

interface Landed {
  readonly txID: string;
  readonly solid: boolean;
  readonly transaction: {
    readonly raw_data: {
      readonly contract: readonly {
        readonly type: string;
        readonly parameter: { readonly value: { readonly to_address?: string } };
      }[];
    };
  };
}

/**
 * Transfers are activations: each that is on chain is a row that says so, no other row does, and no account was activated twice. Returns
 * how many there are.
 */
export async function expectActivationTruth(world: OrderWorld): Promise<number> {
  const chain = (await (await fetch(`${world.chain.url}/control/state`)).json()) as { transactions: Landed[] };
  const transfers = chain.transactions.filter(
    ({ solid, transaction }) => solid && transaction.raw_data.contract[0]!.type === 'TransferContract',
  );
  const receivers = transfers.map(({ transaction }) => transaction.raw_data.contract[0]!.parameter.value.to_address);
  expect(new Set(receivers).size).toBe(transfers.length);
  const rows = await world.query(`select tx_id, state from chain_transactions where purpose = 'activation'`);
  expect(rows.filter(({ state }) => state !== 'final' && state !== 'dead')).toEqual([]);
  const final = rows.filter(({ state }) => state === 'final').map((row) => String(row['tx_id']));
  expect(transfers.map(({ txID }) => txID).toSorted()).toEqual(final.toSorted());
  return transfers.length;
}
