import { utils } from 'tronweb';
import { SUN_A_BYTE } from '../../src/chain/pool/wallets/fees';
import { unsignedData } from '../../src/chain/transactions/signing/transaction-builder';
import { bytesOf } from '../../src/deposits/sweeps/sweep-bytes';
import { LEAST_CLAIM_SUN } from '../../src/stake-care/care-periods';
import { CLAIM } from '../../src/stake-care/transaction-kinds';

describe('the least reward that is claimed', () => {
  it('is ten times the TRX that a claim by the key of a permission burns without bandwidth', () => {
    const owner = { address: utils.accounts.generateAccount().address.base58, permissionId: 3 };
    const reference = { number: 60_000_000, id: `0000000003938700${'ab'.repeat(24)}` };
    const times = { expirationMs: 1_795_356_812_103, timestampMs: 1_795_356_753_205 };
    const { rawDataHex } = unsignedData(owner, { kind: CLAIM, values: {}, reference, ...times });
    expect(LEAST_CLAIM_SUN).toBe(10n * BigInt(bytesOf(rawDataHex)) * SUN_A_BYTE);
  });
});
