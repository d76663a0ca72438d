import { TronWeb, type Types } from 'tronweb';
import type { OrderWorld } from './order-world';
import { until } from './until';

interface SolidBlock {
  readonly block_header: { readonly raw_data: { readonly number: number } };
}

type Build = (tronWeb: TronWeb, owner: string) => Promise<Types.Transaction>;

/** Somebody else with the pool wallet's key undelegates, which operators know of. Its txid. */
export async function takeBackByHand(world: OrderWorld, receiver: string, sun: bigint): Promise<string> {
  return sendByHand(world, 'pool', true, ({ transactionBuilder }, pool) =>
    transactionBuilder.undelegateResource(Number(sun), receiver, 'ENERGY', pool),
  );
}

/** Somebody else with the pool wallet's key delegates, locked for so many blocks if any, which operators know of. Its txid. */
export async function lendByHand(world: OrderWorld, receiver: string, sun: bigint, lockBlocks = 0): Promise<string> {
  return sendByHand(world, 'pool', true, ({ transactionBuilder }, pool) =>
    transactionBuilder.delegateResource(Number(sun), receiver, 'ENERGY', pool, lockBlocks > 0, lockBlocks),
  );
}

/** Somebody else with a wallet's key makes any transaction. Its txid, once it is solid. */
export function stealthily(world: OrderWorld, role: 'pool' | 'activate', build: Build): Promise<string> {
  return sendByHand(world, role, false, build);
}

/** As if an operator had acknowledged it: what is looked at is the stake that it moved, and not that somebody has used the wallet. */
export async function acknowledgeUse(world: OrderWorld, txId: string, address: string): Promise<void> {
  await world.query(
    `insert into findings (kind, subject, subject_type, subject_id, wallet_id, reason, next_step, amount_sun, resolved_at, acknowledged_at, note)
     select 'wallet_used', w.name || ' ' || $1, 'wallet_transaction', $1, w.id, 'by hand', '', 0, now(), now(), 'by hand'
       from pool_wallets w where w.address = $2 and w.removed_at is null returning id`,
    [txId, address],
  );
}

/** What was changed by no transaction, as a test's control of the chain does, is what looking begins with. */
export async function watchFromNow(world: OrderWorld): Promise<void> {
  const { block_header: header } = (await world.node('walletsolidity/getnowblock')) as unknown as SolidBlock;
  await until('each wallet read again', async () => {
    await world.query('delete from wallet_views');
    await world.tryToReadWallets();
    const older = `select 1 from pool_wallets w left join wallet_views v on v.wallet_id = w.id
                    where w.removed_at is null and coalesce(v.explained_block, -1) < $1`;
    return (await world.query(older, [header.raw_data.number])).length === 0;
  });
}

async function sendByHand(
  world: OrderWorld,
  role: 'pool' | 'activate',
  isKnown: boolean,
  build: Build,
): Promise<string> {
  const { address, private_key: key } = world.chain.accounts.find((account) => account.role === role)!;
  const tronWeb = new TronWeb({ fullHost: world.chain.url });
  const unsigned = await build(tronWeb, address);
  if (isKnown) await acknowledgeUse(world, unsigned.txID, address);
  const sent = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(unsigned, key));
  if (!sent.result) throw new Error(`refused: ${JSON.stringify(sent)}`);
  await until('the transaction solid', async () => {
    const found = await world.node('walletsolidity/gettransactioninfobyid', { value: unsigned.txID });
    return found['id'] !== undefined;
  });
  return unsigned.txID;
}
