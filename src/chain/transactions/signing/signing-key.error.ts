import { ServiceError } from '../../../common/errors/service.error';
import type { ErrorCode } from '../../../common/errors/error-codes';

/** A wallet's key is missing, belongs to another address, or cannot be used now. The message names its place, never the key. */
export class SigningKeyError extends ServiceError {
  /** It is expected to work again without a change of the wallet: what waits for it is tried again. */
  readonly isPassing: boolean = false;

  constructor(message: string, code: ErrorCode = 'INTERNAL') {
    super(code, message);
    this.name = 'SigningKeyError';
  }
}
