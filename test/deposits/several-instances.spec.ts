import { DepositWorld, TRX } from './deposit-world';

describe('deposits with several instances', () => {
  let deposits: DepositWorld;
  beforeAll(async () => {
    deposits = await DepositWorld.open();
    await deposits.rate(2_500_000n);
  });
  afterAll(() => deposits.close());

  it('are recorded by one of them and credited by one, at the same height', async () => {
    for (let count = 0; count < 2; count++) await deposits.world.startInstance();
    const customers = await Promise.all(Array.from({ length: 5 }, () => deposits.customer()));
    expect(new Set(customers.map(({ address }) => address)).size).toBe(customers.length);
    const expected: Record<string, bigint> = {};
    for (let at = 0; at < 6; at++) {
      for (const { address } of customers) {
        const amount = (at + 10) * TRX;
        const isTrx = at % 2 === 0;
        const txid = await (isTrx ? deposits.payTrx(address, amount) : deposits.payUsdt(address, amount));
        expected[`${txid}:0`] = BigInt(isTrx ? amount : amount * 2.5);
      }
      await deposits.mine(2);
    }
    await deposits.settle();
    expect(await deposits.credits()).toEqual(expected);
    const sum = Object.values(expected).reduce((total, sun) => total + sun, 0n);
    const balances = await Promise.all(customers.map((customer) => deposits.balanceSun(customer)));
    expect(balances.reduce((total, sun) => total + sun, 0n)).toBe(sum);
  });
});
