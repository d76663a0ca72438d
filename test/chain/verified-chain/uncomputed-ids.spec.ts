import { RecordedBlocks } from '../../../src/chain/observer/recorded-blocks';
import { VerifiedChain } from '../../../src/chain/verified-chain/verified-chain';
import { BlockReads } from '../../../src/chain/tron/node/block-reads';
import { SIGNED_COLUMNS } from '../../../src/chain/transactions/outbox/outbox-row';
import { transactionRootOf } from '../../local-chain/block-proof';
import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import {
  asksForBlocks,
  asksForHead,
  type BlockJson,
  editBlocks,
  forge,
  STRANGER_ID,
} from '../../support/forged-blocks';
import { type NodeCall, NodeProxy } from '../../support/node-proxy';
import { OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

type Transactions = readonly Record<string, unknown>[];
const BROADCAST = 'wallet/broadcasttransaction';

/** With these transactions and their root, under the id that the block really has. */
function underItsId(block: BlockJson, transactions: Transactions): BlockJson {
  const copy = structuredClone(block);
  copy.block_header.raw_data['txTrieRoot'] = transactionRootOf({ transactions });
  return { ...copy, transactions: transactions as unknown as BlockJson['transactions'] };
}
type Hide = (block: BlockJson) => BlockJson;
const unknownField: Hide = (block) => {
  block.block_header.raw_data['stateRootV2'] = 'ab'.repeat(32);
  return block;
};
const noHeight: Hide = (block) => {
  delete (block.block_header.raw_data as Partial<BlockJson['block_header']['raw_data']>).number;
  return block;
};
const WAYS: [way: string, hide: Hide][] = [
  ['with a field that nobody knows', unknownField],
  ['without its height', noHeight],
];
const WORLDS: [world: string, nodes: number][] = [
  ['the only node', 1],
  ['the first of two', 2],
];
const CASES = WORLDS.flatMap(([world, nodes]) => WAYS.map(([way, hide]) => [world, way, nodes, hide] as const));

const isByHeight = (call: NodeCall) => asksForBlocks(call) && /getblockby(num|limitnext)$/.test(call.route);
const isInFull = ({ body }: NodeCall) => body['detail'] !== false;

describe.each(CASES)('guarantee 3: %s shows blocks %s under their true ids', (_world, _way, nodes, hide) => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let told: number;
  beforeEach(async () => {
    told = 0;
    world = await OrderWorld.open({
      block: 200,
      backgroundWork: false,
      env: { ANSWER_TIMEOUT: '3s' },
      nodeUrl: async (url) => {
        proxy = new NodeProxy(url);
        const first = await proxy.open();
        return nodes === 1 ? first : `${first},${url}`;
      },
    });
  });
  afterEach(async () => {
    await world.close();
    await proxy.close();
  });

  function lie(does: (call: NodeCall) => boolean, edit: Hide): void {
    proxy.after = (call, answer) => {
      if (!does(call)) return answer;
      told++;
      return editBlocks(answer, (block) => hide(edit(block)));
    };
  }
  const honest = () => (proxy.after = (_call, answer) => answer);
  const stateOf = async (id: string) => (await world.show(id))!.state;

  it('an order answered 200 that has landed never fails, and the audit does not miss its delegation', async () => {
    const follower = await world.startInstance();
    const caller = await world.caller();
    await world.stopFinality();
    const body = { receiver_address: await world.receiver(), amount: 1 };
    const answer = await until('an order goes through', async () => {
      const tried = await world.delegate(caller, body, {}, follower);
      return tried.status === 200 && tried;
    });
    const id = answer.headers.get('x-delegation-id')!;
    await world.stopInstance(follower);
    // Another process reads the blocks by their heights.
    lie(isByHeight, (block) => (block.transactions ? underItsId(block, []) : block));
    await world.control('clock', { ms: 61_000 });
    await world.resumeFinality();
    await world.startInstance();
    if (nodes === 1) {
      await until('the chain long past it', async () => {
        const { block_header: header } = (await world.node('wallet/getblock')) as unknown as BlockJson;
        const [row] = await world.query(`select expiration_ms from chain_transactions where subject_id = $1`, [id]);
        return header.raw_data.timestamp - Number(row!['expiration_ms']) > 5_000;
      });
      await until('lies told', async () => told > 8 || (await stateOf(id)) === 'failed');
      expect(await stateOf(id)).not.toBe('failed');
    } else await world.untilState(id, 'delegated');
    const [row] = await world.query(`select tx_id, block_number, block_id from chain_transactions`);
    const recorded = { number: Number(row!['block_number']), id: String(row!['block_id']) };
    const has = world.app.app.get(RecordedBlocks).have(String(row!['tx_id']), recorded);
    if (nodes === 1) await expect(has).rejects.toMatchObject({ code: 'NODE_UNAVAILABLE' });
    else expect(await has).toBe(true);
    honest();
    await world.untilState(id, 'delegated');
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  it('an order whose bytes were never sent is not included, and not charged', async () => {
    const follower = await world.startInstance();
    const caller = await world.caller();
    await until('the chain followed', () => Promise.resolve(follower.app.get(VerifiedChain).problem === null));
    await world.control('fault', { route: BROADCAST, kind: 'accept-then-drop', count: 1_000 });
    let added: Record<string, unknown> | null = null;
    lie(isByHeight, (block) => (added ? underItsId(block, [...(block.transactions ?? []), added]) : block));
    const edited = proxy.after;
    // Its newest block has transactions that prove nothing: what is in it is asked for by its height.
    const unproved = [{ txID: STRANGER_ID, raw_data_hex: '0a02abcd' }];
    proxy.after = (call, answer) =>
      asksForHead(call) && isInFull(call)
        ? editBlocks(answer, (block) => ({ ...block, transactions: unproved }))
        : edited(call, answer);
    const body = { receiver_address: await world.receiver(), amount: 1 };
    const pending = until('an order signed', async () => {
      const tried = await world.delegate(caller, body, {}, follower);
      return tried.headers.get('x-delegation-id') !== null && tried;
    });
    const row = await world.untilRow(`select ${SIGNED_COLUMNS}, subject_id from chain_transactions t`);
    added = {
      txID: String(row['tx_id']),
      raw_data_hex: String(row['raw_data_hex']),
      signature: [String(row['signature'])],
      ret: [{ contractRet: 'SUCCESS' }],
    };
    const before = told;
    const included = `select 1 from chain_transactions where state in ('included', 'final')`;
    const isEnough = async () => told > before + (nodes === 1 ? 8 : 1) || (await world.query(included)).length > 0;
    await until('lies told', isEnough);
    expect(await world.query(included)).toEqual([]);
    expect((await pending).headers.get('x-delegation-state')).not.toBe('included');
    if (nodes === 1) honest();
    await world.control('clock', { ms: 61_000 });
    await world.untilState(String(row['subject_id']), 'failed');
    expect(await world.query(included)).toEqual([]);
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  it('none of them has a parent, and none is taken for genesis', async () => {
    await world.control('block', { count: 5 });
    const reads = world.app.app.get(BlockReads);
    const [url] = reads.urls;
    const head = await reads.newestHeader(url!);
    lie(asksForBlocks, (block) => {
      block.block_header.raw_data['parentHash'] = STRANGER_ID;
      return block;
    });
    const at = head.number - 2;
    await expect(reads.headerAt(url!, at)).rejects.toMatchObject({ name: 'NodeUnavailableError' });
    await expect(reads.blocks(url!, at, at)).rejects.toMatchObject({ name: 'NodeUnavailableError' });
    await expect(reads.blocks(url!, at, at + 1)).rejects.toMatchObject({ name: 'NodeUnavailableError' });
    await expect(reads.newestHeader(url!)).rejects.toMatchObject({ code: 'NODE_UNAVAILABLE' });
  });
});

describe('guarantee 3: a chain at its genesis block', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let genesis: BlockJson;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 'manual',
      witnesses: 4,
      backgroundWork: false,
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    genesis = (await world.node('wallet/getblockbynum', { num: 0 })) as unknown as BlockJson;
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });

  /** The node has no other block yet. */
  const atGenesis = (as: Hide) =>
    (proxy.after = (call, answer) => (asksForHead(call) ? JSON.stringify(as(structuredClone(genesis))) : answer));

  it('is known by the id that the database remembers, and followed from there on', async () => {
    atGenesis((block) => block);
    const { app } = world.app;
    const reads = app.get(BlockReads);
    const [url] = reads.urls;
    await expect(app.get(VerifiedChain).look()).rejects.toMatchObject({
      reason: expect.stringContaining('too few known witnesses have signed block 0') as string,
    });
    expect(await world.query('select genesis_block_id as id from chain_identity')).toEqual([{ id: genesis.blockID }]);
    const known = { number: 0, id: genesis.blockID, signer: null };
    expect(await reads.newestHeader(url!)).toMatchObject(known);
    expect(await reads.headerAt(url!, 0)).toMatchObject(known);
    expect((await reads.blocks(url!, 0, 1)).map(({ header }) => header.number)).toEqual([0, 1]);
    proxy.after = (_call, answer) => answer;
    await world.control('block', { count: 8 });
    await app.get(VerifiedChain).look();
    expect(app.get(VerifiedChain).headers!.at(0)).toMatchObject(known);
  });

  it.each<[string, Hide]>([
    ['another parent, and the id of that', (block) => forge(block, { header: { parentHash: Buffer.alloc(32, 7) } })],
    ['another id', (block) => ({ ...block, blockID: `${'0'.repeat(16)}${STRANGER_ID.slice(16)}` })],
    [
      'another time under its id',
      (block) => {
        block.block_header.raw_data.timestamp = Date.now();
        return block;
      },
    ],
    ['other transactions under its id', (block) => underItsId(block, [])],
  ])('is not one with %s', async (_, as) => {
    const reads = world.app.app.get(BlockReads);
    const [url] = reads.urls;
    expect(await reads.newestHeader(url!)).toBeDefined();
    atGenesis(as);
    await expect(reads.newestHeader(url!)).rejects.toMatchObject({ name: 'NodeUnavailableError' });
    proxy.after = (call, answer) => (asksForBlocks(call) ? editBlocks(answer, as) : answer);
    await expect(reads.headerAt(url!, 0)).rejects.toMatchObject({ name: 'NodeUnavailableError' });
    proxy.after = (_call, answer) => answer;
  });
});
