import { VerifiedChain } from '../../../src/chain/verified-chain/verified-chain';
import { ReferenceBlocks } from '../../../src/chain/verified-chain/reference-blocks';
import {
  asksForHead,
  type BlockJson,
  editBlocks,
  forge,
  FOREIGN_KEY,
  STRANGER_ID,
  TWO_HOURS_MS,
  witnessOf,
} from '../../support/forged-blocks';
import { NodeProxy } from '../../support/node-proxy';
import { type Caller, OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

const WITNESSES = 4;
const FAR = 30_000_000;

type Lie = (head: BlockJson) => BlockJson;
const later = ({ block_header: { raw_data: raw } }: BlockJson) => ({ timestamp: BigInt(raw.timestamp + TWO_HOURS_MS) });
const next = (head: BlockJson) => ({
  ...later(head),
  number: BigInt(head.block_header.raw_data.number + 1),
  parentHash: Buffer.from(head.blockID, 'hex'),
});
const [one, other] = [witnessOf(1), witnessOf(2)];

/** Each is two hours ahead, and each but the first has the id that its fields make. */
const UNSIGNED: [string, Lie][] = [
  [
    'whose time does not make its id',
    (head) => {
      const changed = structuredClone(head);
      changed.block_header.raw_data.timestamp += TWO_HOURS_MS;
      return changed;
    },
  ],
  ['under the signature of the real one', (head) => forge(head, { header: later(head) })],
  ['on top of the real one, under its signature', (head) => forge(head, { header: next(head) })],
  [
    'signed by a key of no witness',
    (head) => forge(head, { header: { ...next(head), witness_address: one.address }, key: FOREIGN_KEY }),
  ],
  [
    'signed by one witness in the name of another',
    (head) => forge(head, { header: { ...next(head), witness_address: one.address }, key: other.key }),
  ],
  [
    'without a signature',
    (head) => {
      const changed = forge(head, { header: next(head) });
      delete (changed.block_header as Partial<BlockJson['block_header']>).witness_signature;
      return changed;
    },
  ],
];
/** A witness has signed these, and yet no block of the chain leads to them. */
const UNLINKED: [string, Lie][] = [
  [
    'of a height without blocks',
    (head) => signed(head, { number: BigInt(FAR), parentHash: Buffer.from(STRANGER_ID, 'hex') }),
  ],
  ['whose parent is a stranger', (head) => signed(head, { parentHash: Buffer.from(STRANGER_ID, 'hex') })],
  ['two above the real one', (head) => signed(head, { number: BigInt(head.block_header.raw_data.number + 2) })],
  ['in the place of the real one', (head) => signed(head, { number: BigInt(head.block_header.raw_data.number) })],
];

function signed(head: BlockJson, header: Record<string, bigint | Buffer>): BlockJson {
  return forge(head, { header: { ...next(head), witness_address: one.address, ...header }, key: one.key });
}

describe('guarantee 3: a head two hours ahead', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let caller: Caller;
  let chain: VerifiedChain;
  let id: string;
  beforeAll(async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      block: 200,
      witnesses: WITNESSES,
      env: { ANSWER_TIMEOUT: '1s' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    caller = await world.caller();
    chain = world.app.app.get(VerifiedChain);
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    id = answer.headers.get('x-delegation-id')!;
    await world.untilState(id, 'delegated');
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });
  afterEach(async () => {
    proxy.after = (_call, answer) => answer;
    const before = chain.headers!.head.number;
    await until('honest heads again', () => Promise.resolve(chain.headers!.head.number > before + 1));
  });

  /** Until enough lies were read; the chain may go on by what the node says of other heights. */
  async function tell(lie: Lie, lies = 3): Promise<void> {
    let heard = 0;
    proxy.after = (call, answer) => {
      if (!asksForHead(call)) return answer;
      const told = editBlocks(answer, lie);
      heard++;
      return told;
    };
    await until('the lies told', () => Promise.resolve(heard >= lies));
  }

  async function expectNothingTakenBack(): Promise<void> {
    await world.sweepOnce().catch((error: unknown) => expect(error).toMatchObject({ code: 'NODE_UNAVAILABLE' }));
    expect(await world.query(`select 1 from chain_transactions where purpose = 'reclaim'`)).toEqual([]);
    expect(await world.show(id)).toMatchObject({ state: 'delegated' });
  }

  it.each([...UNSIGNED, ...UNLINKED])('%s changes nothing', async (_, lie) => {
    const before = chain.headers!.head;
    await tell(lie);
    const { head } = chain.headers!;
    expect(head.timeMs - before.timeMs).toBeLessThan(TWO_HOURS_MS / 2);
    await expectNothingTakenBack();
    // An order is signed on what is known, or refused: it never outlives its minute.
    await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    const real = (await world.node('wallet/getblock')) as unknown as BlockJson;
    const rows = await world.query(`select expiration_ms from chain_transactions`);
    const latest = real.block_header.raw_data.timestamp + 60_000;
    expect(rows.every((row) => Number(row['expiration_ms']) <= latest)).toBe(true);
    expect(await world.query(`select 1 from chain_faults`)).toEqual([]);
  });

  it('of a height without blocks costs no more than a few calls each time it is shown', async () => {
    const before = proxy.calls.length;
    await tell(UNLINKED[0]![1], 6);
    const calls = proxy.calls.slice(before).filter(({ route }) => route.startsWith('wallet/getblock'));
    expect(calls.length).toBeLessThan(6 * 40);
  });

  it('that a witness has really signed on top of the real one takes nothing back: that takes final blocks', async () => {
    await tell((head) => signed(head, {}), 2);
    await until('it believed', () => Promise.resolve(chain.headers!.head.timeMs > Date.now() + TWO_HOURS_MS / 2));
    await expectNothingTakenBack();
    const timeMs = await world.app.app.get(ReferenceBlocks).headTimeMs();
    // The block below it, which is the real one.
    const { headers } = chain;
    expect(timeMs).toBeLessThanOrEqual(headers!.at(headers!.head.number - 1)!.timeMs + 120_000);
    // A node that has this head would refuse the bytes as expired: none are signed.
    const before = await world.query(`select id from delegations`);
    const refused = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    expect(refused.headers.get('x-error-code')).toBe('NODE_UNAVAILABLE');
    expect(await world.query(`select id from delegations`)).toEqual(before);
  });

  it('takes back what is due once witnesses have built on it', async () => {
    proxy.after = (_call, answer) => answer;
    await world.control('clock', { ms: TWO_HOURS_MS });
    await world.untilState(id, 'reclaimed');
  });
});

describe('guarantee 3: headers with a field that is not known yet', () => {
  it('are not believed: no order is taken, nothing is concluded, and the reason names the setting', async () => {
    let proxy!: NodeProxy;
    const world = await OrderWorld.open({
      time: 'virtual',
      block: 200,
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    const caller = await world.caller();
    const place = async () => world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    const [placed] = [await place()];
    proxy.after = (call, answer) =>
      /\/getblock/.test(call.route) && call.body['num'] !== 0
        ? editBlocks(answer, (block) => {
            block.block_header.raw_data['stateRootV2'] = 'ab'.repeat(32);
            return block;
          })
        : answer;
    const ready = async () => (await fetch(`${world.app.url}/health/ready`)).json() as Promise<Record<string, unknown>>;
    await until('not ready', async () => (await ready())['status'] === 'unavailable');
    expect((await ready())['reason']).toContain('CHAIN_PROOF');
    const refused = await place();
    expect(refused.headers.get('x-error-code')).toBe('NODE_UNAVAILABLE');
    expect(await world.query(`select count(*) as n from delegations`)).toEqual([{ n: 1n }]);
    proxy.after = (_call, answer) => answer;
    await world.untilState(placed.headers.get('x-delegation-id')!, 'delegated');
    await until('ready again', async () => (await ready())['status'] === 'ok');
    await world.close();
    await proxy.close();
  });
});
