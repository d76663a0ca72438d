import { Logger } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { BlockSubscribers, type BlockSubscriber } from '../../../src/chain/observer/block-subscribers';
import { ChainWork } from '../../../src/chain/observer/chain-work';
import { VerifiedChain } from '../../../src/chain/verified-chain/verified-chain';
import { statement } from '../../../src/database/statement';
import { lendByHand } from '../../support/by-hand';
import { OrderWorld } from '../../support/order-world';
import type { TestApp } from '../../support/test-app';
import { until } from '../../support/until';

const SEE = statement<[subscriber: string, number: number, id: string, txIds: readonly string[] | null]>(
  'test_see_block',
  'insert into seen_blocks (subscriber, number, id, txids) values ($1, $2, $3, $4)',
);

interface Seen {
  readonly number: number;
  readonly id: string;
  readonly txids: readonly string[] | null;
}

/** A room of its own that no other file names: it keeps what it is given in the transaction in which it is given it. */
class Scanner implements BlockSubscriber {
  wants = true;
  /** The height at which it fails once it has written. */
  failsAt = -1;
  failures = 0;

  constructor(readonly name: string) {}

  wantsBodies(): boolean {
    return this.wants;
  }

  onFinal: NonNullable<BlockSubscriber['onFinal']> = async ({ number, id, transactions }, tx) => {
    const txIds = transactions && [...transactions].map(([txId, { raw }]) => (hashOf(raw) === txId ? txId : 'another'));
    await tx.execute(SEE, [this.name, number, id, txIds]);
    if (number !== this.failsAt) return;
    this.failures++;
    throw new Error('no room for this block');
  };
}

const hashOf = (raw: Buffer) => createHash('sha256').update(raw).digest('hex');

describe('a subscriber of final blocks', () => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 'manual', solidLag: 4, env: { ANSWER_TIMEOUT: '20s' } });
    await world.app.orm.em
      .fork()
      .execute(
        'create table seen_blocks (position bigserial, subscriber text not null, number int not null, id text not null, txids text[])',
      );
    await world.control('block', { count: 6 });
  });
  afterAll(() => world.close());

  const subscribe = ({ app }: TestApp, name: string) => {
    const scanner = new Scanner(name);
    app.get(BlockSubscribers).add(scanner);
    return scanner;
  };
  const seenBy = async (name: string) =>
    (await world.query('select number, id, txids from seen_blocks where subscriber = $1 order by position', [
      name,
    ])) as unknown as Seen[];
  const place = async (name: string) =>
    Number(
      (await world.query('select number from followed_blocks where subscriber = $1', [name]))[0]?.['number'] ?? -1,
    );
  const finalOf = ({ app }: TestApp) => app.get(VerifiedChain).headers!.final!.number;
  async function mine(count: number): Promise<void> {
    const before = finalOf(world.app);
    await world.control('block', { count });
    await until('new final blocks', async () => finalOf(world.app) >= before + count);
  }
  /** A transaction of a stranger, in a final block. */
  async function lend(): Promise<void> {
    const lent = lendByHand(world, await world.receiver(), 1_000_000n);
    await world.untilPending(1);
    await world.control('block', { count: 6 });
    await lent;
  }
  const untilAt = (name: string, number = finalOf(world.app)) =>
    until(`${name} at block ${number}`, async () => (await place(name)) >= number);
  /** Every block from there to its place, once, in order, as the node has it. */
  async function expectAll(name: string, after: number): Promise<void> {
    const upTo = await place(name);
    const seen = (await seenBy(name)).filter(({ number }) => number > after && number <= upTo);
    expect(seen.map(({ number }) => number)).toEqual(Array.from({ length: upTo - after }, (_, at) => after + 1 + at));
    for (const { number, id } of seen)
      expect((await world.node('wallet/getblockbynum', { num: number }))['blockID']).toBe(id);
  }

  it('is given each one once and in order, from the newest on, with the bytes that the root proves', async () => {
    subscribe(world.app, 'all');
    await mine(1);
    await until('its beginning', async () => (await place('all')) >= 0);
    const from = await place('all');
    await lend();
    const answer = world.delegate(await world.caller(), { receiver_address: await world.receiver(), amount: 1 });
    await world.untilPending(1);
    await mine(6);
    await untilAt('all');
    await expectAll('all', from);
    const listed = (await seenBy('all')).flatMap(({ txids }) => txids ?? []);
    expect(listed).toContain((await answer).body['txid']);
    expect([listed.includes('another'), listed.length]).toEqual([false, new Set(listed).size]);
  });

  it('is given a block again whose transaction failed, and holds up neither orders nor another subscriber meanwhile', async () => {
    const scanner = subscribe(world.app, 'failing');
    subscribe(world.app, 'other');
    await mine(1);
    await until('their beginning', async () => (await place('failing')) >= 0 && (await place('other')) >= 0);
    const from = await place('failing');
    scanner.failsAt = finalOf(world.app) + 2;
    const answer = world.delegate(await world.caller(), { receiver_address: await world.receiver(), amount: 1 });
    await world.untilPending(1);
    await mine(7);
    await world.untilState((await answer).headers.get('x-delegation-id')!, 'delegated');
    await untilAt('other');
    await until('its failure', async () => scanner.failures > 0);
    expect([await place('failing'), (await seenBy('failing')).at(-1)?.number]).toEqual([
      scanner.failsAt - 1,
      scanner.failsAt - 1,
    ]);
    scanner.failsAt = -1;
    await mine(1);
    await untilAt('failing');
    await expectAll('failing', from);
  });

  it('is given none twice by two instances, and none is left out when the one that gives it ends', async () => {
    const second = await world.startInstance();
    for (const app of [world.app, second]) subscribe(app, 'shared');
    await mine(2);
    await until('its beginning', async () => (await place('shared')) >= 0);
    const from = await place('shared');
    for (let at = 0; at < 4; at++) await mine(2);
    await untilAt('shared');
    await expectAll('shared', from);
    await world.stopInstance(world.app);
    await mine(3);
    await untilAt('shared');
    await expectAll('shared', from);
  });

  it('is given the blocks of a pause in which no instance ran, though the verified chain begins above them', async () => {
    const from = await place('shared');
    const idle = await world.startInstance({}, false);
    await world.stopInstance(world.app);
    await lend();
    await world.control('block', { count: 90 });
    const again = await world.startInstance();
    await world.stopInstance(idle);
    await until('a chain', async () => again.app.get(VerifiedChain).headers?.final);
    expect(again.app.get(VerifiedChain).headers!.floor).toBeGreaterThan(from + 1);
    subscribe(again, 'shared');
    await mine(2);
    await untilAt('shared');
    await expectAll('shared', from);
    const listed = (await seenBy('shared')).filter(({ number }) => number > from).flatMap(({ txids }) => txids ?? []);
    expect(listed.length).toBeGreaterThan(0);
  });

  it('is given headers alone when it wants no transactions, and nothing is read for it', async () => {
    const scanner = subscribe(world.app, 'headers');
    scanner.wants = false;
    await mine(1);
    await until('its beginning', async () => (await place('headers')) >= 0);
    await mine(3);
    await untilAt('headers');
    const bodies = (await seenBy('headers')).map(({ txids }) => txids);
    expect([bodies.length >= 3, bodies.every((body) => body === null)]).toEqual([true, true]);
    await until('nothing open', async () => !world.app.app.get(ChainWork).isBusy);
  });

  it('is given nothing more, and that is said, when its last block is on no branch any more', async () => {
    const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const [{ id }] = (await world.query(`select id from followed_blocks where subscriber = 'headers'`)) as [
      { id: string },
    ];
    const put = (value: string) =>
      world.query(`update followed_blocks set id = $1 where subscriber = 'headers' returning 1`, [value]);
    await put('0'.repeat(64));
    const before = await place('headers');
    await mine(2);
    await until('that said', async () =>
      errors.mock.calls.some(([, what]) => String(what).startsWith('headers was not given')),
    );
    expect(await place('headers')).toBe(before);
    await put(id);
    await mine(1);
    await untilAt('headers');
    errors.mockRestore();
  });

  it('is shown head blocks in full while it wants them, though nothing of ours is open', async () => {
    const shown: string[] = [];
    let wants = false;
    world.app.app.get(BlockSubscribers).add({
      name: 'heads',
      wantsBodies: () => wants,
      onHead: async ({ owners }) => void shown.push(...owners.keys()),
    });
    await lend();
    await mine(1);
    expect(shown).toEqual([]);
    wants = true;
    await mine(1);
    const lent = lendByHand(world, await world.receiver(), 1_000_000n);
    await world.untilPending(1);
    await world.control('block');
    await until('one shown', async () => shown.length === 1);
    await world.control('block', { count: 6 });
    expect(shown).toEqual([await lent]);
    expect(() => subscribe(world.app, 'heads')).toThrow('two subscribers are called heads');
  });
});
