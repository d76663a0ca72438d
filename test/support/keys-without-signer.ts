import { SignerKeys } from '../../src/chain/transactions/signer-process/signer-keys';
import { OwnKeys } from '../../src/chain/transactions/signing/own-keys';
import { SigningKeys } from '../../src/chain/transactions/signing/signing-keys';
import { Clock } from '../../src/common/clock';

/** As a service has them whose wallets' keys lie in its own process. */
export function keysWithoutSigner(): SigningKeys {
  return new SigningKeys(new OwnKeys(), new SignerKeys({ signer: null }, new Clock()));
}
