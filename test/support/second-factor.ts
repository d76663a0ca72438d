import { Secret, TOTP } from 'otpauth';
import { SecondFactorService } from '../../src/auth/second-factors/second-factor.service';
import { mintTotpSecret } from '../../src/auth/second-factors/totp';
import type { PanelUserLogin } from './panel-user';
import type { TestApp } from './test-app';

/** As an authenticator app shows it now. */
export function codeOf(secret: string): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() });
}

/** The user's app, and the recovery codes on paper. The code that enabled it is used. */
export async function giveSecondFactor({ app }: TestApp, { id, email }: PanelUserLogin) {
  const bytes = mintTotpSecret();
  const secret = new Secret({ buffer: new Uint8Array(bytes).buffer }).base32;
  const by = { id, address: '127.0.0.1' };
  const used = codeOf(secret);
  const { recoveryCodes } = await app.get(SecondFactorService).enable(by, { userId: id, email }, bytes, used);
  return { secret, recoveryCodes, used };
}
