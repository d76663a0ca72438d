import type { HeldCommits } from './held-commits';
import { type Answer, type Caller, OrderWorld } from './order-world';
import { ToldAnswers } from './told-answers';
import { until } from './until';

interface Order {
  readonly key: string;
  readonly caller: Caller;
  readonly body: Record<string, unknown>;
}

/** Orders of as many callers, so that they can be written together; and what these are told of them, which has to stay. */
export class OrderCrowd {
  private readonly told = new ToldAnswers();

  private constructor(
    private readonly world: OrderWorld,
    readonly run: string,
    readonly orders: readonly Order[],
  ) {}

  /** Orders of several sizes, the last one with an activation. */
  static async gather(world: OrderWorld, run: string, count: number): Promise<OrderCrowd> {
    const orders = Array.from({ length: count }, async (_, at): Promise<Order> => {
      const activates = at === count - 1;
      const receiver = await world.receiver(!activates);
      const body = activates ? { amount: 1, activate_address: true } : { amount: at % 2 === 1 ? 2.5 : 1 };
      const caller = await world.caller({ balance: 100 });
      return { key: `${run}-${at}`, caller, body: { receiver_address: receiver, ...body } };
    });
    return new OrderCrowd(world, run, await Promise.all(orders));
  }

  get userIds(): string[] {
    return this.orders.map(({ caller }) => caller.id);
  }

  get toldCount(): number {
    return this.told.count;
  }

  /** Each later answer to a key that was not the first one's. */
  get contradictions(): readonly string[] {
    return this.told.contradictions;
  }

  /** Resolves when each is answered or cut off. */
  async placeAll(at: { readonly url: string }): Promise<void> {
    await Promise.all(this.orders.map((order) => this.place(order, at)));
  }

  /** The same, while commits are held up: the first goes ahead, and those of the others are written together. */
  async placeHeld(at: { readonly url: string }, commits: HeldCommits): Promise<void> {
    const [first, ...others] = this.orders;
    const placed = [this.place(first!, at)];
    try {
      await commits.untilOneWaits();
      placed.push(...others.map((order) => this.place(order, at)));
      await commits.untilMoreWait();
    } finally {
      await commits.release();
    }
    await Promise.all(placed);
  }

  /** An instance that has just started may know no wallet yet. */
  private async place(order: Order, at: { readonly url: string }): Promise<void> {
    await until(`${order.key} taken`, () => this.ask(order, at).catch(() => 'cut off'));
  }

  /** As callers do that were not answered: again, until the answer is about an order. */
  async askAll(at: { readonly url: string }): Promise<void> {
    const askAgain = (order: Order) => until(`an answer for ${order.key}`, () => this.ask(order, at).catch(() => null));
    await Promise.all(this.orders.map(askAgain));
  }

  /** Null for a refusal. */
  async ask({ key, caller, body }: Order, at: { readonly url: string }): Promise<Answer | null> {
    const answer = await this.world.delegate(caller, body, { 'idempotency-key': key }, at);
    return this.told.hear(key, answer) ? answer : null;
  }
}
