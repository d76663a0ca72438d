import type { ChainProof } from '../../../src/chain/verified-chain/chain-proof';
import { OldBlocks } from '../../../src/chain/observer/old-blocks';
import { BlockReads, MOST_BLOCKS_A_READ } from '../../../src/chain/tron/node/block-reads';
import { ChainTransactionRepository } from '../../../src/chain/transactions/outbox/chain-transaction.repository';
import { HeaderChain } from '../../../src/chain/proof/header-chain';
import { SignatureJudge } from '../../../src/chain/proof/judge';
import { Clock } from '../../../src/common/clock';
import { lendByHand } from '../../support/by-hand';
import { OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

describe('the blocks of a pause', () => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 100, solidLag: 60 });
  });
  afterAll(() => world.close());

  it('are kept, until they are proved, with transactions of ours alone', async () => {
    await lendByHand(world, await world.receiver(), 1_000_000n);
    const caller = await world.caller();
    const placed = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    expect(placed.headers.get('x-delegation-state')).toBe('included');
    const { app } = world.app;
    const reads = app.get(BlockReads);
    const [url] = reads.urls;
    const included = (await reads.newestHeader(url!)).number;
    const head = await until('one more block', async () => {
      const header = await reads.newestHeader(url!);
      return header.number > included && header;
    });
    // It knows no witness, so that only the link to the verified chain proves anything.
    const judge = new SignatureJudge();
    const old = new OldBlocks(
      reads,
      { judge } as unknown as ChainProof,
      app.get(ChainTransactionRepository),
      app.get(Clock),
    );
    const chain = new HeaderChain(head, judge);
    let found: string[] = [];
    await until('all proved', async () => {
      const blocks = (await old.read(1, chain))!;
      found = blocks.flatMap(({ owners }) => [...owners.keys()]);
      return blocks.length === head.number - 1;
    });
    const { number } = (await world.query('select block_number as number from chain_transactions'))[0]!;
    expect([Number(number) < head.number, found]).toEqual([true, [placed.body['txid']]]);
  });

  it('are let go, and read again later, once more than a limit of them prove nothing', async () => {
    const { app } = world.app;
    const reads = app.get(BlockReads);
    const [url] = reads.urls;
    const head = await until('blocks enough', async () => {
      const header = await reads.newestHeader(url!);
      return header.number > 3 * MOST_BLOCKS_A_READ && header;
    });
    const judge = new SignatureJudge();
    const limit = 2 * MOST_BLOCKS_A_READ;
    const old = new OldBlocks(
      reads,
      { judge } as unknown as ChainProof,
      app.get(ChainTransactionRepository),
      app.get(Clock),
      limit,
    );
    const chain = new HeaderChain(head, judge);
    const kept = () => Array.from({ length: head.number }, (_, at) => old.at(at + 1)).filter(Boolean).length;
    const turns: [given: number | null, kept: number][] = [];
    for (let turn = 0; turn < 4; turn++) turns.push([(await old.read(1, chain))?.length ?? null, kept()]);
    expect(turns).toEqual([
      [0, MOST_BLOCKS_A_READ],
      [0, limit],
      [null, 0],
      [0, MOST_BLOCKS_A_READ],
    ]);
  });
});
