import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiTokenService } from '../../../src/auth/tokens/api-token.service';
import type { ReceiptDocument } from '../../../src/chain/verified-chain/receipts/receipt-document';
import { ReferenceBlocks } from '../../../src/chain/verified-chain/reference-blocks';
import { type Answer, type Caller, OrderWorld } from '../../support/order-world';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser } from '../../support/panel-user';
import { SharedCommandLine } from '../../support/shared-command-line';
import { until } from '../../support/until';

const idOf = (answer: Answer) => answer.headers.get('x-delegation-id')!;

/** The local chain's witnesses sign like a real one's, some of them with keys of their own for it. */
describe('the receipt of an order', () => {
  let world: OrderWorld;
  let caller: Caller;
  let cli: SharedCommandLine;
  let folder: string;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 'manual',
      witnesses: 27,
      env: { ANSWER_TIMEOUT: '1s' },
    });
    caller = await world.caller();
    folder = mkdtempSync(join(tmpdir(), 'receipts-'));
    cli = SharedCommandLine.on(world.database.url, { FOLDER: folder });
    await world.control('block', { count: 40 });
    await world.untilRow(`select 1 from witness_set where jsonb_array_length(witnesses) = 27`);
  });
  afterAll(async () => {
    await cli.close();
    await world.close();
    rmSync(folder, { recursive: true });
  });

  const receiptOf = (id: string, by = caller, chain = 'chain') =>
    world.get(by, `/api/${chain}/delegations/${id}/receipt`);
  const dataOf = ({ body }: Answer) => body['data'] as ReceiptDocument;
  /** In one block, one after the other committed. */
  const included = async (count = 1, receiver?: string) => {
    const placing = Array.from({ length: count }, async () =>
      world.delegate(caller, { receiver_address: receiver ?? (await world.receiver()), amount: 1 }),
    );
    await world.untilPending(count);
    await world.control('block');
    return Promise.all(placing);
  };
  const final = async (answers: readonly Answer[]) => {
    await world.control('block', { count: 20 });
    for (const answer of answers) await world.untilState(idOf(answer), 'delegated');
  };
  const verify = async (text: string, witnesses?: string) => {
    const [file, exported] = [join(folder, 'receipt.json'), join(folder, 'witnesses.json')];
    writeFileSync(file, text);
    await cli.json('witnesses:export', exported);
    // Neither settings nor a database nor a node.
    return cli.runWith({}, 'receipt:verify', file, '--witnesses', witnesses ?? exported, '--json');
  };

  it('is not there until the delegation is final, and proves it to anyone then', async () => {
    const receiver = await world.receiver();
    const [answer] = await included(1, receiver);
    await world.untilState(idOf(answer!), 'included');
    const early = await receiptOf(idOf(answer!));
    expect([early.status, early.body['message']]).toEqual([
      404,
      (await receiptOf('01890a5d-ac96-774b-bcce-b302099a8057')).body['message'],
    ]);
    await final([answer!]);

    const receipt = await receiptOf(idOf(answer!));
    expect(receipt.status).toBe(200);
    const order = (await world.show(idOf(answer!)))!;
    const { txid, receiver_address, block_time, following, witnesses, stake } = dataOf(receipt);
    expect({ txid, receiver_address, stake }).toEqual({
      txid: answer!.body['txid'],
      receiver_address: receiver,
      stake: Number(order.stake_sun) / 1_000_000,
    });
    expect(Date.parse(block_time)).toBe(Date.parse(order.delegated_at!));
    expect([following.length, witnesses.length]).toEqual([19, 27]);
    // The receipt does not show whose the order is, what it cost and its id here.
    for (const own of [idOf(answer!), caller.id]) expect(receipt.text).not.toContain(own);

    const { exitCode, stdout } = await verify(receipt.text);
    expect([exitCode, JSON.parse(stdout)]).toEqual([
      0,
      expect.objectContaining({ ok: true, txid, receiver_address, witnesses: 19 }),
    ]);
    const node = await world.node('wallet/getblockbynum', { num: dataOf(receipt).block_number });
    expect(node['blockID']).toBe(dataOf(receipt).block_id);
    const header = node['block_header'] as { witness_signature: string };
    expect(header.witness_signature).toBe(dataOf(receipt).header.signature);
    expect((await receiptOf(idOf(answer!), caller, 'tron')).text).toBe(receipt.text);
  });

  it('proves nothing with a changed byte, nor by other witnesses, and the command says why', async () => {
    const [answer] = await included();
    await final([answer!]);
    const { text, body } = await receiptOf(idOf(answer!));
    const { transaction } = (body as unknown as { data: ReceiptDocument }).data;
    const at = text.indexOf(transaction) + 100;
    const other = text[at] === '0' ? '1' : '0';
    const changed = await verify(text.slice(0, at) + other + text.slice(at + 1));
    const refused = JSON.parse(changed.stdout) as { ok: boolean; code: string; reason: string };
    expect([changed.exitCode, refused.ok]).toEqual([1, false]);
    expect([refused.code, changed.stderr.trim()]).toEqual([expect.stringMatching(/^receipt\./), refused.reason]);
    const file = join(folder, 'other.json');
    const stranger = `41${'ab'.repeat(20)}`;
    writeFileSync(
      file,
      JSON.stringify({ witnesses: [{ address: stranger, isJobs: true, signing_address: stranger }] }),
    );
    const foreign = await verify(text, file);
    expect([foreign.exitCode, foreign.stderr]).toEqual([
      1,
      expect.stringContaining('as an active witness with a key that the given file does not have'),
    ]);
    const missing = await verify(text, join(folder, 'none.json'));
    expect([missing.exitCode, missing.stderr]).toEqual([1, expect.stringContaining('cannot be read')]);
    expect(JSON.parse(missing.stdout)).toMatchObject({ ok: false, code: 'receipt.file-unreadable' });
    const people = await cli.runWith({}, 'receipt:verify', file, '--witnesses', file);
    expect([people.exitCode, people.stdout]).toEqual([1, '']);
    expect((await cli.runWith({}, 'receipt:verify', file)).exitCode).toBe(2);
    expect((await cli.runWith({}, 'receipt:verify', '-', '--witnesses', '-')).exitCode).toBe(2);
  });

  it.each([
    ['the receipt', 'CLI receipt:verify - --witnesses "$FOLDER/piped.json" --json <"$FOLDER/receipt.json"'],
    ['its witnesses', 'CLI receipt:verify "$FOLDER/receipt.json" --witnesses - --json <"$FOLDER/piped.json"'],
  ])('is verified as a file or through pipes: %s by standard input', async (_, verifying) => {
    const [answer] = await included();
    await final([answer!]);
    writeFileSync(join(folder, 'receipt.json'), (await receiptOf(idOf(answer!))).text);
    const exported = await cli.shell('CLI witnesses:export - --json >"$FOLDER/piped.json"');
    expect([exported.code, JSON.parse(exported.stderr)]).toEqual([0, { file: '-', witnesses: 27 }]);
    const { code, stdout, stderr } = await cli.shell(verifying);
    expect([code, stderr, JSON.parse(stdout)]).toEqual([0, '', expect.objectContaining({ ok: true })]);
  });

  it('is for its own caller, and of a token for some receivers only to these', async () => {
    const [first, second] = [await world.receiver(), await world.receiver()];
    const [one] = await included(1, first);
    const [two] = await included(1, second);
    await final([one!, two!]);
    const stranger = await world.caller();
    const limited = await world.tokenOf(caller.id, { receivers: [first] });
    expect((await receiptOf(idOf(one!), stranger)).status).toBe(404);
    expect((await receiptOf('no-id')).status).toBe(404);
    expect([(await receiptOf(idOf(one!), limited)).status, (await receiptOf(idOf(two!), limited)).status]).toEqual([
      200, 404,
    ]);
  });

  it('is a file in the panel, the same as the route answers, for its own customer alone and once there is one', async () => {
    const login = await insertPanelUser(world.app, { email: 'ann@example.com', balance: 100 });
    const { token } = await world.app.app
      .get(ApiTokenService)
      .create({ userId: login.id, name: 'test', permissions: ['delegate'] });
    const ann = { id: login.id, token };
    const placing = world.delegate(ann, { receiver_address: await world.receiver(), amount: 1 });
    await world.untilPending(1);
    await world.control('block');
    const answer = await placing;
    const panel = new PanelClient(world.app.url);
    await panel.signIn(login.email, login.password);
    const page = `/panel/orders/${idOf(answer)}`;
    expect((await panel.get(page)).text).not.toContain(`${page}/receipt`);
    expect((await panel.get(`${page}/receipt`)).status).toBe(404);
    await final([answer]);
    expect((await panel.get(page)).text).toContain(`href="${page}/receipt"`);
    const file = await panel.get(`${page}/receipt`);
    expect(file.text).toBe((await receiptOf(idOf(answer), ann)).text);
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="receipt-[0-9a-f]{16}\.json"$/);
    const other = await insertPanelUser(world.app, { email: 'eve@example.com', operator: true });
    const stranger = new PanelClient(world.app.url);
    await stranger.signIn(other.email, other.password);
    expect((await stranger.get(`${page}/receipt`)).status).toBe(404);
  });

  it('shares the headers of its block with the others in it, and keeps none that no order needs', async () => {
    const headers = async () => Number((await world.query(`select count(*)::int as n from receipt_headers`))[0]!['n']);
    await world.control('block', { count: 60 });
    const before = await headers();
    const answers = await included(4);
    await final(answers);
    expect(await headers()).toBe(before + 20);
    for (const answer of answers) {
      const receipt = await receiptOf(idOf(answer));
      expect(dataOf(receipt).branch.length).toBeGreaterThan(1);
      expect((await verify(receipt.text)).exitCode).toBe(0);
    }
    await world.control('block', { count: 60 });
    const [next] = await included();
    await final([next!]);
    expect(await headers()).toBe(before + 40);
  });

  it('is not there once the block that had the delegation was undone, and another stands in its place', async () => {
    const [answer] = await included();
    await final([answer!]);
    const { block_number: number } = dataOf(await receiptOf(idOf(answer!)));
    await world.query(
      `update receipt_headers h set header = above.header from receipt_headers above where h.number = $1 and above.number = $1 + 1`,
      [number],
    );
    expect((await receiptOf(idOf(answer!))).status).toBe(404);
  });

  it('is not there for an order that never landed', async () => {
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'accept-then-drop', count: 100 });
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'none' });
    for (let made = 0; made < 3; made++) {
      await world.control('clock', { ms: 600_000 });
      await world.control('block', { count: 30 });
    }
    await world.untilState(idOf(answer), 'failed');
    expect((await receiptOf(idOf(answer))).status).toBe(404);
  });

  it('is there after a start in whose gap the order became final', async () => {
    // Blocks are made by hand: orders are refused when none has come for a while.
    const known = () => world.app.app.get(ReferenceBlocks).lastHead()!.number;
    const before = known();
    await world.control('block');
    await until('a new block is verified', () => Promise.resolve(known() > before));
    const [answer] = await included();
    await world.stopInstance(world.app);
    for (let made = 0; made < 200; made += 100) {
      await world.control('clock', { ms: 100 * 3_000 });
      await world.control('block', { count: 100 });
    }
    await world.startInstance();
    await world.untilState(idOf(answer!), 'delegated');
    const receipt = await receiptOf(idOf(answer!));
    expect((await verify(receipt.text)).exitCode).toBe(0);
  });
});
