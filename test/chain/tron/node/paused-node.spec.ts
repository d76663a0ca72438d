import { DELEGATION } from '../../../../src/delegation/transaction-kinds';
import { TronWeb } from 'tronweb';
import { ChainReads } from '../../../../src/chain/tron/node/chain-reads';
import { NodeClient } from '../../../../src/chain/tron/node/node-client';
import { NodeConnections } from '../../../../src/chain/tron/node/node-connections';
import type { HttpReply } from '../../../../src/chain/tron/node/node-http';
import { SIGNED_COLUMNS, signedOfRow, type SignedRow } from '../../../../src/chain/transactions/outbox/outbox-row';
import { expectChainTruth, untilSettled } from '../../../support/chain-truth';
import { NodeProxy } from '../../../support/node-proxy';
import { OrderWorld } from '../../../support/order-world';
import { until } from '../../../support/until';

const BROADCAST = 'wallet/broadcasttransaction';
/** Shorter than a call waits for its turn: who waits for the node gets through to it. */
const PAUSE_MS = 9_000;

describe('a further node that wants no calls for now', () => {
  let world: OrderWorld;
  let first: NodeProxy;
  let second: NodeProxy;
  let secondUrl: string;
  beforeAll(async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      block: 1_000,
      solidLag: 2,
      nodeUrl: async (url) => {
        [first, second] = [new NodeProxy(url), new NodeProxy(url)];
        secondUrl = await second.open();
        return `${await first.open()},${secondUrl}`;
      },
    });
  });
  afterAll(async () => {
    await world.close();
    await Promise.all([first, second].map((node) => node.close()));
  });

  async function pause(): Promise<void> {
    const queue = world.app.app.get(NodeConnections).queue(secondUrl);
    const refusal: HttpReply = { kind: 'limited', reason: 'HTTP 429', waitMs: PAUSE_MS, untouched: true };
    await queue.run('orders', async () => refusal);
  }
  const isPaused = () => world.app.app.get(NodeConnections).queue(secondUrl).pausedMs > 0;

  it('keeps no order of a new receiver waiting: the first node’s word is enough meanwhile', async () => {
    const reads = world.app.app.get(ChainReads);
    const asked = async () => {
      const receiver = await world.receiver(false);
      expect(await reads.receiverState(receiver)).toBe('inactive');
      return second.calls.filter(({ body }) => body['address'] === TronWeb.address.toHex(receiver)).length;
    };
    expect(await asked()).toBe(2);
    await pause();
    expect([await asked(), isPaused()]).toEqual([0, true]);
  });

  it('keeps no other bytes waiting that are sent again: it need not have what another has accepted', async () => {
    const body = { receiver_address: await world.receiver(), amount: 1 };
    const { body: answer } = await world.delegate(await world.caller(), body);
    const text = `select ${SIGNED_COLUMNS} from chain_transactions t where t.tx_id = $1`;
    const [row] = (await world.query(text, [answer['txid']])) as unknown as SignedRow[];
    first.answers = ({ route }) => (route === BROADCAST ? '{"result":true}' : undefined);
    const sent = async () => {
      second.calls.length = 0;
      await world.app.app.get(NodeClient).broadcast(signedOfRow(row!, DELEGATION.contract), { toEveryNode: true });
      return second.calls.filter(({ body: { txID } }) => txID === answer['txid']).length;
    };
    await until('the pause is over', async () => !isPaused());
    expect(await sent()).toBe(1);
    await pause();
    expect([await sent(), isPaused()]).toEqual([0, true]);
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });
});
