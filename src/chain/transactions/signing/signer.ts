import type { PlannedTransaction } from './planned-transaction';
import type { KeyOwner } from './key-owner';

/** What a signer may judge: whose transaction it is, and what its bytes are to say. */
export interface SigningPlan extends PlannedTransaction {
  readonly wallet: KeyOwner;
}

/**
 * Signs with keys that only it sees, here or in another process. It may take seconds, refuse, or answer anything: TransactionSigner checks
 * the bytes before and the signature afterwards, and no database transaction is open meanwhile. A signer that can hang ends that itself.
 */
export abstract class Signer {
  /** The signature (r, s, v in hex) of these bytes, `raw_data` of a transaction. @throws SigningKeyError, or whatever it refuses with */
  abstract sign(plan: SigningPlan, rawData: Buffer): Promise<string>;
}
