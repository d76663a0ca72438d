import { countOf, record, timeFor } from '../support/bar';
import { expectChainTruth, untilSettled } from '../support/chain-truth';
import { OrderWorld } from '../support/order-world';

const FULL = 1_000;
const ORDERS = countOf(FULL, 100);
/** As many as the chain, which is in this process, answers within a call's time-out. */
const AT_ONCE = 100;

interface Landed {
  readonly transactions: readonly {
    readonly transaction: {
      readonly raw_data: {
        readonly ref_block_bytes: string;
        readonly ref_block_hash: string;
        readonly contract: readonly [{ readonly type: string; readonly parameter: { readonly value: unknown } }];
      };
    };
  }[];
}

/** To a library they are the same transaction: wallet, receiver, amount and reference block are equal. */
describe('equal orders on one reference block', () => {
  let world: OrderWorld;
  afterAll(() => world?.close());

  it(
    'are each a transaction and a delegation of their own, over two instances',
    async () => {
      world = await OrderWorld.open({
        block: 'manual',
        backgroundWork: false,
        env: { DELEGATION_ANSWER: 'accepted', ANSWER_TIMEOUT: '30s' },
      });
      await world.control('block');
      const instances = [await world.startProcess(), await world.startProcess()];
      const callers = await Promise.all(Array.from({ length: 20 }, () => world.caller({ balance: ORDERS })));
      const body = { receiver_address: await world.receiver(), amount: 1 };
      const answers: Awaited<ReturnType<OrderWorld['delegate']>>[] = [];
      while (answers.length < ORDERS) {
        const orders = Array.from({ length: Math.min(AT_ONCE, ORDERS - answers.length) }, (_, at) =>
          world.delegate(callers[at % 20]!, body, {}, instances[at % 2]),
        );
        answers.push(...(await Promise.all(orders)));
      }
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(new Set(answers.map((answer) => answer.body['txid'])).size).toBe(ORDERS);
      const alike = await world.query(
        `select count(*)::integer as orders, count(distinct (wallet_id, receiver, amount_sun, ref_block_number))::integer as kinds
           from chain_transactions where purpose = 'delegation'`,
      );
      expect(alike).toEqual([{ orders: ORDERS, kinds: 1 }]);
      const [reference] = await world.query(
        'select distinct ref_block_number::integer as number from chain_transactions',
      );
      await world.control('block', { count: 8 });
      await untilSettled(world.app.sql);
      const orders = await expectChainTruth(world);
      expect(orders.filter(({ state }) => state === 'delegated')).toHaveLength(ORDERS);
      // And by the bytes that landed: one block, whichever the rows say, and the same in all that a caller can choose.
      const { transactions } = (await (await fetch(`${world.chain.url}/control/state`)).json()) as Landed;
      const bytes = transactions.map(({ transaction: { raw_data: raw } }) => [
        raw.ref_block_bytes,
        raw.ref_block_hash,
        raw.contract[0].type,
        raw.contract[0].parameter.value,
      ]);
      expect(bytes).toHaveLength(ORDERS);
      expect(new Set(bytes.map((fields) => JSON.stringify(fields))).size).toBe(1);
      const block = await world.node('wallet/getblockbynum', { num: reference!['number'] });
      const id = String(block['blockID']);
      expect(bytes[0]!.slice(0, 3)).toEqual([id.slice(12, 16), id.slice(16, 32), 'DelegateResourceContract']);
      record(4, 'equal orders', ORDERS, FULL, `${ORDERS} txids, ${orders.length} delegations, one reference block`);
    },
    timeFor(ORDERS, 300),
  );
});
