import { copyFileSync, writeFileSync } from 'node:fs';
import { PoolAdminService } from '../../src/admin/pool-admin.service';
import { Capacity } from '../../src/chain/pool/wallets/capacity';
import { PoolWalletRepository } from '../../src/chain/pool/wallets/pool-wallet.repository';
import { TransactionBuilder } from '../../src/chain/transactions/signing/transaction-builder';
import { CarryOut } from '../../src/stake-care/carry-out';
import { PlanOperation } from '../../src/stake-care/plan-operation';
import { until } from '../support/until';
import { ANN, CareWorld } from './care-world';

const TRX = 1_000_000n;

describe('an operation that is planned', () => {
  let care: CareWorld;
  beforeEach(async () => {
    care = await CareWorld.open();
    await care.care({ votes: [], claims: false });
  });
  afterEach(() => care.world.close());

  const get = <T>(token: abstract new (...args: never[]) => T) => care.world.app.app.get<T>(token);
  const plan = () =>
    get(PlanOperation).plan(ANN, { name: 'pool', kind: 'freeze', resource: 'energy', amountSun: 7n * TRX });
  /** Something happens once the bytes are signed, and before they are saved. */
  const whenSigned = (happens: () => Promise<unknown>) => {
    const builder = get(TransactionBuilder);
    const sign = builder.sign.bind(builder);
    jest.spyOn(builder, 'sign').mockImplementationOnce(async (...args) => {
      const signed = await sign(...args);
      await happens();
      return signed;
    });
  };
  const bytes = () => care.world.query('select tx_id from chain_transactions');

  it('is not sent with the signature of a key that the care has no more, and is signed by the new one', async () => {
    const operation = await plan();
    const other = care.world.keyFile('other-care');
    copyFileSync(care.keyFile, other);
    whenSigned(() => care.care({ votes: [], claims: false, keySource: `file:${other}` }));
    await get(CarryOut).carryOut(operation);
    expect([await care.states(), await bytes()]).toEqual([['freeze planned'], []]);
    await get(CarryOut).carryOut(operation);
    expect(await care.states()).toEqual(['freeze sent']);
  });

  it('is not sent once it is ten minutes old, however long its signature took', async () => {
    const operation = await plan();
    whenSigned(() =>
      care.world.query(`update stake_operations set created_at = created_at - interval '11 minutes' returning 1`),
    );
    await get(CarryOut).carryOut(operation);
    expect(await bytes()).toEqual([]);
    await get(CarryOut).goOn();
    expect(await care.states()).toEqual(['freeze failed']);
  });

  it('is not sent once its database is a restored one, which happens while it is signed', async () => {
    const operation = await plan();
    whenSigned(() =>
      care.world.query('update database_identity set system_identifier = system_identifier + 1 returning 1'),
    );
    await get(CarryOut).carryOut(operation);
    expect([await care.states(), await bytes()]).toEqual([['freeze planned'], []]);
  });

  it('stays sent although another process that has taken it up cannot sign it', async () => {
    const operation = await plan();
    await get(CarryOut).carryOut(operation);
    writeFileSync(care.keyFile, 'none');
    await get(CarryOut).carryOut(operation);
    const [after] = await care.operations();
    expect(after).toMatchObject({ state: 'sent', error: null });
  });

  it('keeps its wallet from being removed', async () => {
    const operation = await plan();
    const remove = () => get(PoolAdminService).removeWallet(ANN, 'pool');
    await expect(remove()).rejects.toMatchObject({ code: 'wallet.in-use', parameters: { transactions: 1n } });
    await get(CarryOut).carryOut(operation);
    await expect(remove()).rejects.toMatchObject({ code: 'wallet.in-use', parameters: { transactions: 1n } });
    await care.settle();
  });
});

describe('an unfreezing that is final', () => {
  let care: CareWorld;
  beforeAll(async () => {
    care = await CareWorld.open();
    await care.care({ votes: [], claims: false });
  });
  afterAll(() => care.world.close());

  it('has its wallet read again, for the reading before shows the stake that is gone', async () => {
    await until('the wallet can be read', async () => {
      await care.blocks(2);
      return care.admin.unfreeze(ANN, 'pool', 10n * TRX, 'energy').then(
        () => true,
        () => false,
      );
    });
    const capacity = jest.spyOn(care.world.app.app.get<{ read(): Promise<void> }>(Capacity), 'read');
    capacity.mockResolvedValue(undefined);
    await care.settle();
    const wallets = care.world.app.app.get(PoolWalletRepository);
    const [{ id }] = (await care.world.query(`select id from pool_wallets where name = 'pool'`)) as [{ id: string }];
    expect(await wallets.findOutdated()).toEqual([id]);
    capacity.mockRestore();
    await until('a newer reading', async () => {
      await care.blocks(1);
      await care.world.tryToReadWallets();
      return (await wallets.findOutdated()).length === 0;
    });
  });
});
