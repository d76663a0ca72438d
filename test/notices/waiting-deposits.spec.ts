import { CreditByHand } from '../../src/deposits/credit-by-hand';
import { LANGUAGES } from '../../src/languages/languages';
import { attentionItems } from '../../src/notices/attention/attention-items';
import { AttentionService } from '../../src/notices/attention/attention.service';
import { FindTroubles } from '../../src/notices/find-troubles';
import { DepositWorld, TRX } from '../deposits/deposit-world';

describe('a deposit that waits', () => {
  let deposits: DepositWorld;
  beforeAll(async () => (deposits = await DepositWorld.open()));
  afterAll(() => deposits.close());

  const found = async () => {
    const troubles = await deposits.world.app.app.get(FindTroubles).ofService();
    return troubles.filter(({ kind }) => kind === 'deposit_waiting');
  };

  const onOverview = async () => {
    const attention = await deposits.world.app.app.get(AttentionService).read();
    return attentionItems(LANGUAGES.en.panel, attention).filter(({ href }) => href === '/panel/operator/deposits');
  };

  it('is one trouble with all others that wait, which begins again with each, until they are credited', async () => {
    const customer = await deposits.customer();
    const pay = async () => {
      await deposits.payUsdt(customer.address, 20 * TRX);
      await deposits.settle();
      return found();
    };
    expect(await found()).toEqual([]);
    expect(await onOverview()).toEqual([]);
    const [one] = await pay();
    expect(one!.text.en).toBe('1 deposit waits for a rate or for you. The page Deposits shows why.');
    expect(one!.text.zh).toContain('1 笔充值');
    const [two, ...others] = await pay();
    expect(others).toEqual([]);
    expect(two!.text.en).toContain('2 deposits wait');
    expect(await onOverview()).toMatchObject([{ text: '2 deposits are waiting for you', level: 'attention' }]);
    expect(two!.begunAt!.getTime()).toBeGreaterThan(one!.begunAt!.getTime());
    await deposits.rate(3_000_000n);
    const { app, world } = { app: deposits.world.app.app, world: deposits.world };
    const credits = app.get(CreditByHand);
    for (const id of await credits.waitingForRate())
      await world.app.sql.transaction((tx) => credits.credit(id, null, tx));
    expect(await found()).toEqual([]);
  });
});
