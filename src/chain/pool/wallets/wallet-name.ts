import { InvalidValueError } from '../../../common/errors/domain.error';
import { hasUnseen, oneSpelling } from '../../../common/text';

/** As a wallet is stored and looked for: two that look alike are one name. @throws InvalidValueError */
export function checkWalletName(name: string): string {
  const trimmed = oneSpelling(name);
  if (hasUnseen(trimmed)) throw new InvalidValueError('wallet.name-unseen');
  return trimmed;
}
