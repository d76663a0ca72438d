import { VerifiedChain } from '../../../src/chain/verified-chain/verified-chain';
import { readReceipt } from '../../../src/chain/verified-chain/receipts/receipt';
import type { ReceiptDocument } from '../../../src/chain/verified-chain/receipts/receipt-document';
import { unverifiedBlocks, verifyReceipt } from '../../../src/chain/verified-chain/receipts/verify-receipt';
import { WitnessSetRepository } from '../../../src/chain/verified-chain/witnesses/witness-set.repository';
import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

type Active = readonly { readonly address: string; readonly signing_address: string }[];

describe('on a chain with post-quantum signatures', () => {
  let world: OrderWorld;
  beforeAll(async () => (world = await OrderWorld.open({ block: 100, witnesses: 27 })));
  afterAll(() => world.close());

  const headers = () => world.app.app.get(VerifiedChain).headers!;
  /** An order in a block together with strangers' transactions of both schemes. */
  async function order(): Promise<string> {
    const caller = await world.caller();
    const receiver = await world.receiver();
    for (const scheme of ['FN_DSA_512', 'ML_DSA_44']) await world.control('transaction', { scheme });
    const answer = await world.delegate(caller, { receiver_address: receiver, amount: 1 });
    expect([answer.status, answer.headers.get('x-delegation-state')]).toEqual([200, 'included']);
    const id = answer.headers.get('x-delegation-id')!;
    for (const scheme of ['FN_DSA_512', 'ML_DSA_44']) await world.control('transaction', { scheme });
    await world.untilState(id, 'delegated');
    const { text } = await world.get(caller, `/api/chain/delegations/${id}/receipt`);
    return text;
  }
  const schemesIn = (receipt: string) => {
    const { data } = JSON.parse(receipt) as { data: ReceiptDocument };
    return [data.header, ...data.following].flatMap((one) => (one.pq_auth_sig ? [one.pq_auth_sig.scheme] : []));
  };

  /** A receipt has 20 headers of a turn of 27: which these are is chance, and so is whether one of them has a signature of this scheme. */
  const receiptWith = (scheme: string) =>
    until(`a receipt with ${scheme}`, async () => {
      const receipt = await order();
      return schemesIn(receipt).includes(scheme) && receipt;
    });

  it('keys of FN-DSA-512 are proved by their blocks, orders become final, and receipts carry such headers', async () => {
    const { witnesses } = (await world.control('witnesses', { post_quantum: 6 })) as { witnesses: Active };
    const textOf = (set: Active) =>
      set.map(({ address, signing_address }) => `${address} ${signing_address}`).toSorted((x, y) => x.localeCompare(y));
    await until('the new keys known', async () => {
      const known = (await world.app.app.get(WitnessSetRepository).find())!.witnesses;
      return textOf(known).join() === textOf(witnesses).join();
    });
    const receipt = await receiptWith('FN_DSA_512');
    expect(new Set(schemesIn(receipt))).toEqual(new Set(['FN_DSA_512']));
    expect(verifyReceipt(readReceipt(receipt), [witnesses])).toBe(19);
    await untilSettled(world.app.sql);
    expect(await world.query('select kind from chain_faults')).toEqual([]);
    await expectChainTruth(world);
  });

  it('a header of ML-DSA-44 counts for no witness: blocks become final by the others, and receipts link through it', async () => {
    await world.control('witnesses', { post_quantum: 3, scheme: 'ML_DSA_44' });
    const { number } = headers().head;
    await until('a turn with such headers', () => Promise.resolve((headers().final?.number ?? 0) > number + 27));
    const unverified = [...headers().newestFirst()].filter((header) => header.unverified === 'ML_DSA_44');
    expect(unverified.length).toBeGreaterThan(2);
    const receipt = await receiptWith('ML_DSA_44');
    const { witnesses } = (await world.app.app.get(WitnessSetRepository).find())!;
    expect(verifyReceipt(readReceipt(receipt), [witnesses])).toBe(19);
    expect(unverifiedBlocks(readReceipt(receipt)).length).toBe(
      schemesIn(receipt).filter((one) => one === 'ML_DSA_44').length,
    );
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });
});
