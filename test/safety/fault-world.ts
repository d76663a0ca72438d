import { untilSettled } from '../support/chain-truth';
import { NodeProxy } from '../support/node-proxy';
import { OrderWorld } from '../support/order-world';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';
import { type EndedOrder, KeptAnswers } from './ended-orders';
import { type Due, expectDue } from './fault-outcomes';
import { type SentTransaction, SentTransactions } from './sent-transactions';

export interface ChainState {
  readonly head: { readonly number: number; readonly timestamp: number };
  readonly pending: readonly string[];
  readonly transactions: readonly {
    readonly txID: string;
    readonly blockNumber: number;
    readonly solid: boolean;
    readonly transaction: { readonly raw_data: { readonly contract: readonly unknown[] } };
  }[];
}

export interface PlacedOrder {
  readonly id: string;
  readonly receiver: string;
  readonly status: number;
}

const NO_BACK_OFF = 'update delegations set next_attempt_at = null where next_attempt_at is not null returning 1';
const WAKE = `update pool_wallets set refusals = 0, resting_until = null where refusals > 0 returning 1`;
const OWN_END = `select id, state from delegations where state = 'taking_back'`;

/** One instance before a node that a spec makes faulty, and all that callers were told and the node was sent meanwhile. */
export class FaultWorld {
  readonly answers = new KeptAnswers();
  readonly sent = new SentTransactions();
  /** Called for each broadcast, before it goes on. */
  onBroadcast: (sent: SentTransaction) => Promise<void> | void = () => undefined;
  private readonly kinds = new Map<string, string>();

  private constructor(
    readonly world: OrderWorld,
    readonly proxy: NodeProxy,
    readonly instance: TestApp,
  ) {
    proxy.before = (call) => {
      const sent = this.sent.note(call);
      return sent ? this.onBroadcast(sent) : undefined;
    };
  }

  static async open(env: Record<string, string> = {}): Promise<FaultWorld> {
    let proxy!: NodeProxy;
    const world = await OrderWorld.open({
      time: 'virtual',
      block: 150,
      env: { ANSWER_TIMEOUT: '1s', RECONCILE_EVERY: '24h', NODE_CALLS_PER_SECOND: '1000', ...env },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    return new FaultWorld(world, proxy, world.app);
  }

  async close(): Promise<void> {
    await this.world.close();
    await this.proxy.close();
  }

  /** A test that fails in the middle leaves nothing of its fault to the next. */
  async end(): Promise<void> {
    const { proxy, world } = this;
    [proxy.after, proxy.answers] = [(_call, answer) => answer, () => undefined];
    this.onBroadcast = () => undefined;
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'none' });
    await world.control('solid-lag');
    await world.resumeFinality();
  }

  /** One order of its own caller, counted under the kind. */
  async place(kind: string, fields: Record<string, unknown> = {}): Promise<PlacedOrder | null> {
    const caller = await this.world.caller({ balance: 10 });
    const receiver = await this.world.receiver(fields['activate_address'] !== true);
    const body = { receiver_address: receiver, amount: 1, ...fields };
    const answer = await this.world.delegate(caller, body, {}, this.instance);
    const id = this.answers.keep(answer);
    if (id === null) return null;
    this.kinds.set(id, kind);
    return { id, receiver, status: answer.status };
  }

  async placeMany(kind: string, count: number, fields: Record<string, unknown> = {}): Promise<PlacedOrder[]> {
    const placed = await Promise.all(Array.from({ length: count }, () => this.place(kind, fields)));
    expect([kind, placed.every((order) => order !== null)]).toEqual([kind, true]);
    return placed.filter((order) => order !== null);
  }

  /** What came before is over: no rest of a wallet or a node, no time that the follower has not seen. */
  async untilOrdersGoThrough(): Promise<void> {
    await this.placeTaken('no fault');
  }

  /** The first that was taken, whatever a busy machine made of those before it. */
  async placeTaken(kind: string): Promise<PlacedOrder> {
    const goesThrough = async () => {
      await this.world.query(WAKE);
      const order = await this.place('no fault');
      return order?.status === 200 && order;
    };
    const taken = await until('an order goes through', goesThrough);
    this.kinds.set(taken.id, kind);
    return taken;
  }

  async chainState(): Promise<ChainState> {
    return (await (await fetch(`${this.world.chain.url}/control/state`)).json()) as ChainState;
  }

  /** A transaction that is in no block by then is dead, and stake that landed for nothing is taken back. */
  async settle(): Promise<void> {
    await this.world.control('clock', { ms: 61_000 });
    await until('nothing that has still to be taken back', async () => {
      await this.forgetWaits();
      return (await this.world.query(OWN_END)).length === 0;
    });
    await untilSettled(this.world.app.sql);
  }

  /** Failed attempts wait for up to ten minutes, a refused wallet for half an hour. */
  async forgetWaits(): Promise<void> {
    await this.world.query(NO_BACK_OFF);
    await this.world.query(WAKE);
  }

  /** Everything settled, held against chain, money and answers; and each of these kinds came to what it has to. */
  async expectEnds(
    due: Readonly<Record<string, Due>>,
    of: number,
    ofOthers: readonly string[] = [],
  ): Promise<EndedOrder[]> {
    const orders = await this.answers.expectToStand(this.world, ofOthers);
    await this.sent.expectOfRows(this.world);
    for (const [kind, its] of Object.entries(due)) expectDue(kind, this.ofKind(orders, kind), its, of);
    return orders;
  }

  ofKind(orders: readonly EndedOrder[], kind: string): EndedOrder[] {
    return orders.filter(({ id }) => this.kinds.get(id) === kind);
  }
}
