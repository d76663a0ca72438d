import { OperationRepository } from '../../src/stake-care/operation.repository';
import { PlanOperation, type WantedOperation } from '../../src/stake-care/plan-operation';
import { until } from '../support/until';
import { ANN, CareWorld } from './care-world';

const TRX = 1_000_000n;
/** What our largest transaction burns where bandwidth is missing. */
const FEE_SUN = 300_000n;

/** Free bandwidth pays for two transactions, TRX for the others. */
describe('TRX that pay for the transactions of orders', () => {
  let care: CareWorld;
  beforeEach(async () => {
    care = await CareWorld.open({ bandwidthStakeTrx: 0 });
    await care.care();
    await hold(10n * TRX);
    await read();
    expect((await order()).status).toBe(200);
    await until('it is lent, and its reclaim alone is due', async () => {
      await read();
      return (await wallet()).due === 1n;
    });
  });
  afterEach(() => care.world.close());

  const hold = (sun: bigint) => care.world.control('account', { address: care.address, balance_sun: Number(sun) });
  async function wallet(): Promise<{ balance: bigint; due: bigint; block: number }> {
    const [row] = await care.world.query(
      `select balance_sun as balance, transactions_due as due, observed_block::integer as block from pool_wallets where name = 'pool'`,
    );
    return row as never;
  }
  /** The reading shows all that is final. */
  async function read(): Promise<void> {
    await care.blocks(6);
    const { block_header: head } = (await care.world.node('walletsolidity/getblock', { detail: false })) as {
      block_header: { raw_data: { number: number } };
    };
    await until('a reading of the newest solid block', async () => {
      await care.world.tryToReadWallets();
      return (await wallet()).block >= head.raw_data.number;
    });
  }
  async function order() {
    const body = { receiver_address: await care.world.receiver(), amount: 1 };
    const answer = care.world.delegate(await care.world.caller({ balance: 10_000_000 }), body);
    let isAnswered = false;
    void answer.finally(() => (isAnswered = true));
    await until('an answer', async () => {
      if (!isAnswered) await care.blocks(1);
      return isAnswered;
    });
    return answer;
  }
  const refusal = async () => (await order()).headers.get('x-error-code');
  const freeze = (sun: bigint) => care.admin.freeze(ANN, 'pool', sun, 'energy');
  const plan = (wanted: Omit<WantedOperation, 'name'>) =>
    care.world.app.app.get(PlanOperation).plan(ANN, { name: 'pool', ...wanted });

  it('are promised to no order from the moment at which they are to be frozen', async () => {
    const { balance } = await wallet();
    // Its own bytes and the reclaim are paid, and one transaction more: an order takes two.
    const sun = balance - 3n * FEE_SUN;
    expect(await freeze(sun)).toMatchObject({ state: 'sent' });
    expect(await refusal()).toBe('INSUFFICIENT_ENERGY');
    await care.settle();
    expect((await wallet()).balance).toBe(balance);
    expect(await refusal()).toBe('INSUFFICIENT_ENERGY');
    await read();
    expect((await wallet()).balance).toBeLessThanOrEqual(balance - sun);
    expect(await refusal()).toBe('INSUFFICIENT_ENERGY');
    await hold(10n * TRX);
    await read();
    expect(await refusal()).toBeNull();
  });

  it('are looked at again for an order that finds too few, once what took them is final', async () => {
    const { balance } = await wallet();
    await freeze(balance - 3n * FEE_SUN);
    await care.settle();
    await hold(10n * TRX);
    await care.blocks(6);
    expect((await wallet()).balance).toBe(balance);
    // Nothing else reads the wallet for minutes; the first order may come before the block follower has those blocks.
    await until('an order is taken', async () => (await refusal()) === null);
  });

  it('are frozen only as far as the network shows them now, whatever the last reading said', async () => {
    const { balance } = await wallet();
    await hold(balance - 8n * TRX);
    await care.blocks(1);
    expect((await wallet()).balance).toBe(balance);
    const rest = balance - 8n * TRX - 1n;
    expect(rest).toBeGreaterThan(TRX);
    await expect(freeze(rest)).rejects.toMatchObject({ code: 'stake.reclaims-unpaid', parameters: { due: 1n } });
    expect(await care.states()).toEqual([]);
  });

  it('are kept for what each act takes, until it is known to come to nothing', async () => {
    const [first, second] = care.witnesses;
    const votes = [first!, second!].map((witness) => ({ witness, votes: '1' }));
    const planned: [Omit<WantedOperation, 'name'>, bigint][] = [
      [{ kind: 'vote', votes, amountSun: 2n * TRX }, 2n],
      [{ kind: 'claim', amountSun: TRX }, 1n],
      [{ kind: 'freeze', resource: 'energy', amountSun: TRX }, 1n + 4n],
      [{ kind: 'unfreeze', resource: 'energy', amountSun: TRX }, 1n],
    ];
    for (const [wanted, takes] of planned) {
      const { due } = await wallet();
      await plan(wanted);
      expect([wanted.kind, (await wallet()).due]).toEqual([wanted.kind, due + takes]);
    }
    const operations = care.world.app.app.get(OperationRepository);
    for (const { id } of await care.operations()) await operations.failPlanned(id, 'it is not wanted any more');
    await read();
    expect((await wallet()).due).toBe(1n);
  });
});
