import { createHash, randomInt } from 'node:crypto';

const CODES = 10;
const GROUPS = 4;
const GROUP_LENGTH = 4;
/** None that is taken for another one. 16 of 31 are 79 bits: no thief guesses one, not even from its hash. */
const LETTERS = '23456789abcdefghjkmnpqrstuvwxyz';

/** As they are shown, once: `7hq2-…-x9km`. */
export function mintRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () =>
    Array.from({ length: GROUPS }, () =>
      Array.from({ length: GROUP_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join(''),
    ).join('-'),
  );
}

/** Blanks, dashes, capitals and full-width letters do not matter. Bound to the user, so that equal hashes say nothing. */
export function recoveryCodeHash(userId: string, typed: string): string {
  const letters = typed
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^0-9a-z]/g, '');
  return createHash('sha256').update(`recovery code of ${userId} ${letters}`).digest('base64url');
}
