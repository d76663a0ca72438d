import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

const PERIOD_SECONDS = 30;
/** RFC 4226 recommends 160 bits; every app takes them. */
const SECRET_BYTES = 20;
/** The code before and the one after the present one: clocks of phones differ. */
const WINDOW = 1;

export function mintTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** As it is typed where no picture can be read. */
export function totpSecretText(secret: Buffer): string {
  return secretOf(secret).base32;
}

/** What the picture holds: `otpauth://totp/…`. */
export function totpUri(secret: Buffer, issuer: string, email: string): string {
  return new TOTP({ secret: secretOf(secret), issuer, label: email, period: PERIOD_SECONDS }).toString();
}

/** The step (30 seconds since 1970) that the code is of; null when it is of none that is taken now. */
export function totpStep(secret: Buffer, code: string, now: Date): bigint | null {
  const timestamp = now.getTime();
  const totp = new TOTP({ secret: secretOf(secret), period: PERIOD_SECONDS });
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? null : BigInt(Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta);
}

/** Without blanks, and with digits that an input method wrote full-width (`１２３`). */
export function plainCode(typed: string): string {
  return typed.normalize('NFKC').replaceAll(/\s/g, '');
}

function secretOf(bytes: Buffer): Secret {
  return new Secret({ buffer: new Uint8Array(bytes).buffer });
}
