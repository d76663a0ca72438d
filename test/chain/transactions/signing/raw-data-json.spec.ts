import { TronWeb, utils } from 'tronweb';
import { ACTIVATION, DELEGATION, RECLAIM } from '../../../../src/delegation/transaction-kinds';
import { rawDataJson } from '../../../../src/chain/transactions/signing/raw-data-json';

/** Bytes are all that is kept of a transaction; what is sent again is made of them. */
describe('the JSON of signed bytes', () => {
  const { transactionBuilder } = new TronWeb({ fullHost: 'http://127.0.0.1:1' });
  const [owner, receiver] = [utils.accounts.generateAccount().address, utils.accounts.generateAccount().address];
  const blockHeader = {
    ref_block_bytes: '0a0f',
    ref_block_hash: 'a6b9fcdaad264a38',
    expiration: 1_795_356_812_103,
    timestamp: 1_795_356_753_205,
  };
  const KINDS = { delegation: DELEGATION, reclaim: RECLAIM, activation: ACTIVATION } as const;
  const builders = {
    delegation: (options: object, sun: number) =>
      transactionBuilder.delegateResource(sun, receiver.hex, 'ENERGY', owner.hex, false, undefined, options),
    reclaim: (options: object, sun: number) =>
      transactionBuilder.undelegateResource(sun, receiver.base58, 'ENERGY', owner.base58, options),
    activation: (options: object, sun: number) =>
      transactionBuilder.sendTrx(receiver.base58, sun, owner.base58, options),
  } as const;

  it.each(
    Object.keys(builders).flatMap((purpose) =>
      [0, 2].flatMap((permissionId) =>
        [1, 127, 128, 7_735_505_557, 9_007_199_254_740_991].map((sun) => [purpose, permissionId, sun] as const),
      ),
    ),
  )('is what was built: a %s with permission %s of %s sun', async (purpose, permissionId, sun) => {
    const permission = permissionId === 0 ? {} : { permissionId };
    const kind = purpose as keyof typeof builders;
    const built = await builders[kind]({ ...permission, blockHeader }, sun);
    expect(rawDataJson(KINDS[kind].contract, built.raw_data_hex)).toEqual(built.raw_data);
  });
});
