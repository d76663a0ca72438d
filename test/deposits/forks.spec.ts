import type { FollowedFinal } from '../../src/chain/observer/block-subscribers';
import type { Block } from '../../src/chain/tron/node/block-answer';
import { DepositScanner } from '../../src/deposits/deposit-scanner';
import { UnexplainedHoldings } from '../../src/deposits/unexplained-holdings';
import { Sql } from '../../src/database/sql';
import { WebhookService } from '../../src/webhooks/webhook.service';
import { undocumentedEvent } from '../support/answer-check';
import { until } from '../support/until';
import { WebhookReceiver } from '../support/webhook-receiver';
import { type Customer, DepositWorld, TRX } from './deposit-world';

describe('a deposit in a block that a fork drops', () => {
  let deposits: DepositWorld;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await WebhookReceiver.open();
    deposits = await DepositWorld.open({ env: { WEBHOOK_ALLOW_PRIVATE: 'on' } });
  });
  afterAll(async () => {
    await deposits.close();
    receiver.close();
    // As the API's document has them.
    expect(receiver.received.flatMap(({ text, headers }) => undocumentedEvent(text, headers))).toEqual([]);
  });

  async function listener(path: string): Promise<Customer> {
    const customer = await deposits.customer();
    const webhooks = deposits.world.app.app.get(WebhookService);
    const events = ['deposit.seen', 'deposit.credited', 'deposit.waiting'] as const;
    await webhooks.create({ userId: customer.id, url: receiver.url(path), events });
    return customer;
  }
  const told = (path: string) => receiver.at(path).map(({ body }) => body['type']);
  async function seen(customer: Customer, sun: number): Promise<{ txid: string; block: number }> {
    const txid = await deposits.payTrx(customer.address, sun);
    await deposits.mine();
    await deposits.world.untilRow(`select 1 from deposits where txid = $1 and state = 'seen'`, [txid]);
    return { txid, block: await deposits.head() };
  }

  it('is dropped, and nothing was credited', async () => {
    const customer = await listener('/dropped');
    const { block } = await seen(customer, 5 * TRX);
    await deposits.world.control('fork', { from: block, keep: [] });
    await deposits.settle();
    await deposits.settle();
    expect(await deposits.list(customer)).toMatchObject([{ state: 'dropped', confirmations: 0, credited: null }]);
    expect(await deposits.balanceSun(customer)).toBe(0n);
    expect(told('/dropped')).toEqual(['deposit.seen']);
  });

  it('explains nothing that a contract pays to its address afterwards', async () => {
    const { address } = await deposits.customer();
    await deposits.payTrx(address, 5 * TRX);
    await deposits.mine();
    await deposits.world.untilRow('select 1 from deposits where address = $1', [address]);
    await deposits.world.control('fork', { from: await deposits.head(), keep: [] });
    await deposits.settle();
    await deposits.world.control('payment', { asset: 'TRX', payments: [{ address, amount: 5 * TRX }] });
    await deposits.settle();
    const holdings = deposits.world.app.app.get(UnexplainedHoldings);
    expect(await holdings.read(address)).toBe(true);
    expect(await holdings.list()).toMatchObject([{ address, sun: 5_000_000n }]);
  });

  it('is credited once when another block has it, and its webhooks get each event once', async () => {
    const customer = await listener('/again');
    const { txid, block } = await seen(customer, 6 * TRX);
    await deposits.world.control('fork', { from: block, keep: [txid] });
    await deposits.settle();
    await deposits.settle();
    expect(await deposits.list(customer)).toMatchObject([{ txid, state: 'credited', credited: 6 }]);
    expect(await deposits.balanceSun(customer)).toBe(6_000_000n);
    await until('both events', async () => told('/again').length >= 2);
    expect(told('/again').toSorted()).toEqual(['deposit.credited', 'deposit.seen']);
    const [credited] = receiver.at('/again').filter(({ body }) => body['type'] === 'deposit.credited');
    expect(credited!.body.data).toMatchObject({ txid, index: 0, amount: 6, credited: 6, state: 'credited' });
  });

  it('is credited when it was taken for dropped, and comes in a later block after all', async () => {
    const customer = await deposits.customer();
    const { tronWeb } = deposits;
    const signed = await tronWeb.trx.sign(await tronWeb.transactionBuilder.sendTrx(customer.address, 7 * TRX));
    await tronWeb.trx.sendRawTransaction(signed);
    await deposits.mine();
    await deposits.world.untilRow(`select 1 from deposits where txid = $1`, [signed.txID]);
    await deposits.world.control('fork', { from: await deposits.head(), keep: [] });
    await deposits.settle();
    await deposits.settle();
    expect(await deposits.list(customer)).toMatchObject([{ state: 'dropped' }]);
    expect((await tronWeb.trx.sendRawTransaction(signed)).result).toBe(true);
    await deposits.settle();
    expect(await deposits.list(customer)).toMatchObject([{ state: 'credited', credited: 7 }]);
    expect(await deposits.balanceSun(customer)).toBe(7_000_000n);
  });

  it('stays what its final block has decided, when a late instance is shown that block as a head', async () => {
    const customer = await listener('/late');
    const scanner = deposits.world.app.app.get(DepositScanner);
    const shown: Block[] = [];
    const onHead = scanner.onHead.bind(scanner);
    scanner.onHead = async (block) => {
      shown.push(block);
      await onHead(block);
    };
    const { txid } = await seen(customer, TRX - 1);
    await deposits.settle();
    const row = async () => (await deposits.world.query('select * from deposits where txid = $1', [txid]))[0];
    const before = await row();
    expect(before).toMatchObject({ state: 'too_small', is_final: true });
    // As an instance that has read none of these blocks.
    scanner.onTurn(1_000_000);
    for (const block of shown) await onHead(block);
    scanner.onHead = onHead;
    expect(await row()).toEqual(before);
    await until('its event', async () => told('/late').length > 0);
    expect(told('/late')).toEqual(['deposit.seen']);
  });

  it('waits for an operator when its very block is accepted without proof, and tells webhooks so', async () => {
    const customer = await listener('/unproved');
    const { txid, block: number } = await seen(customer, 8 * TRX);
    const { app } = deposits.world.app;
    const [row] = await deposits.world.query('select block_id from deposits where txid = $1', [txid]);
    const scanner = app.get(DepositScanner);
    // As an instance that was not shown the block as a head.
    scanner.onTurn(1_000_000);
    const header = { id: String(row!['block_id']), number, parentId: '', timeMs: 0 };
    await app
      .get(Sql)
      .transaction((tx) => scanner.onFinal({ ...header, transactions: null, isUnproved: true } as FollowedFinal, tx));
    await deposits.settle();
    expect(await deposits.list(customer)).toMatchObject([{ txid, state: 'waiting', credited: null }]);
    await until('both events', async () => told('/unproved').length >= 2);
    expect(told('/unproved').toSorted()).toEqual(['deposit.seen', 'deposit.waiting']);
  });
});
