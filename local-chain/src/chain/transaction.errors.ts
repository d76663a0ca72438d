/** The node's codes for a refused transaction, with the message it answers. */
export type RefusalCode =
  | 'SIGERROR'
  | 'CONTRACT_VALIDATE_ERROR'
  | 'CONTRACT_EXE_ERROR'
  | 'BANDWITH_ERROR'
  | 'DUP_TRANSACTION_ERROR'
  | 'TAPOS_ERROR'
  | 'TOO_BIG_TRANSACTION_ERROR'
  | 'TRANSACTION_EXPIRATION_ERROR'
  | 'SERVER_BUSY'
  | 'NO_CONNECTION'
  | 'NOT_ENOUGH_EFFECTIVE_CONNECTION'
  | 'BLOCK_UNSOLIDIFIED'
  | 'OTHER_ERROR';

export class TransactionRefusedError extends Error {
  constructor(
    readonly code: RefusalCode,
    message: string,
  ) {
    super(message);
  }
}

export class SignatureError extends TransactionRefusedError {
  constructor(readonly reason: string) {
    super('SIGERROR', `Validate signature error: ${reason}`);
  }
}

/** A contract's own check; `reason` alone is what the transaction builders answer. */
export class ContractValidateError extends TransactionRefusedError {
  constructor(readonly reason: string) {
    super('CONTRACT_VALIDATE_ERROR', `Contract validate error : ${reason}`);
  }
}

export const insufficientResource = (): TransactionRefusedError =>
  new TransactionRefusedError('BANDWITH_ERROR', 'Account resource insufficient error.');
export const expired = (): TransactionRefusedError =>
  new TransactionRefusedError('TRANSACTION_EXPIRATION_ERROR', 'Transaction expired');
