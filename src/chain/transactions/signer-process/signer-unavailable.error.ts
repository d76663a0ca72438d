import { SigningKeyError } from '../signing/signing-key.error';

/** The signer is out of reach, or one of its keys refuses. Nothing was signed, and it may go better later. */
export class SignerUnavailableError extends SigningKeyError {
  override readonly isPassing = true;

  constructor(message: string) {
    super(message, 'SIGNER_UNAVAILABLE');
    this.name = 'SignerUnavailableError';
  }
}
