import { TronWeb, type Types } from 'tronweb';
import type { OrderWorld } from './order-world';
import { until } from './until';

/** Somebody else with the pool wallet's key undelegates. Its txid. */
export async function takeBackByHand(world: OrderWorld, receiver: string, sun: bigint): Promise<string> {
  return sendByHand(world, ({ transactionBuilder }, pool) =>
    transactionBuilder.undelegateResource(Number(sun), receiver, 'ENERGY', pool),
  );
}

/** Somebody else with the pool wallet's key delegates, locked for so many blocks if any. Its txid. */
export async function lendByHand(world: OrderWorld, receiver: string, sun: bigint, lockBlocks = 0): Promise<string> {
  return sendByHand(world, ({ transactionBuilder }, pool) =>
    transactionBuilder.delegateResource(Number(sun), receiver, 'ENERGY', pool, lockBlocks > 0, lockBlocks),
  );
}

async function sendByHand(
  world: OrderWorld,
  build: (tronWeb: TronWeb, pool: string) => Promise<Types.Transaction>,
): Promise<string> {
  const { address, private_key: key } = world.chain.accounts.find(({ role }) => role === 'pool')!;
  const tronWeb = new TronWeb({ fullHost: world.chain.url });
  const unsigned = await build(tronWeb, address);
  const sent = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(unsigned, key));
  if (!sent.result) throw new Error(`refused: ${JSON.stringify(sent)}`);
  await until('the transaction solid', async () => {
    const found = await world.node('walletsolidity/gettransactioninfobyid', { value: unsigned.txID });
    return found['id'] !== undefined;
  });
  return unsigned.txID;
}
