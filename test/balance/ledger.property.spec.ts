import fc from 'fast-check';
import { formatTrx } from '../../src/common/money/sun';
import { Money, TRX } from '../support/money';

type Step =
  | { do: 'credit' | 'debit'; trx: number }
  | { do: 'order'; transactions: string; activation: boolean }
  | { do: 'land' | 'fail'; order: number }
  | { do: 'subscribe'; transactions: number }
  | { do: 'end'; subscription: number };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('credit', 'debit'), trx: fc.integer({ min: 1, max: 30 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('order' as const),
      transactions: fc.constantFrom('1', '1.5', '2', '3.00001', '7'),
      activation: fc.boolean(),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('land', 'fail'), order: fc.nat(40) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('subscribe' as const), transactions: fc.constantFrom(1, 4, 9) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const), subscription: fc.nat(5) }) },
);

/** Every step may run beside every other of its round; a step on what does not exist yet does nothing. */
class Customer {
  private readonly placed: string[] = [];
  private readonly subscribed: string[] = [];

  constructor(
    private readonly money: Money,
    private readonly userId: string,
  ) {}

  async run(step: Step): Promise<void> {
    switch (step.do) {
      case 'credit':
      case 'debit': {
        const movement = { userId: this.userId, amountSun: BigInt(step.trx) * TRX, note: step.do };
        await this.money.ledger[step.do](movement).catch(expectInsufficient);
        return;
      }
      case 'order': {
        const id = await this.money.orders.tryPlace(this.userId, step.transactions, step.activation);
        if (id) this.placed.push(id);
        return;
      }
      case 'land':
      case 'fail': {
        const id = this.placed[step.order];
        if (id) await this.money.orders[step.do](id);
        return;
      }
      case 'subscribe':
        this.subscribed.push((await this.money.subscribe(this.userId, step.transactions)).id);
        return;
      case 'end': {
        const id = this.subscribed[step.subscription];
        if (id) await this.money.subscriptions.end(id, Date.now());
      }
    }
  }

  async settleAll(): Promise<void> {
    await Promise.all(this.placed.map((id) => this.money.orders.land(id)));
  }
}

function expectInsufficient(error: Error): void {
  expect(error.message).toContain('insufficient balance');
}

describe('money under any interleaving', () => {
  let money: Money;

  beforeAll(async () => {
    money = await Money.open();
  });
  afterAll(() => money.close());

  it('adds up after every round of parallel steps, and nothing stays held once all is settled', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyStep, { minLength: 1, maxLength: 12 }), { maxLength: 5 }),
        async (rounds) => {
          const userId = await money.payer(20n * TRX);
          const customer = new Customer(money, userId);
          for (const round of rounds) {
            await Promise.all(round.map((step) => customer.run(step)));
            await money.expectConsistent();
          }
          await customer.settleAll();
          await money.expectConsistent();
          expect(formatTrx((await money.balances.getBalance(userId)).heldSun)).toBe('0.000000');
        },
      ),
      { numRuns: 60 },
    );
  });
});
