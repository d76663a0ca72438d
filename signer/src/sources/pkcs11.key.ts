import type { Source } from '../configuration/configuration';
import { TokenProcess } from './pkcs11/token.process';
import type { SigningKey } from './signing.key';

type Settings = Extract<Source, { pkcs11: unknown }>['pkcs11'];

/** Keys of a token share a process, as they share its login. */
const processes = new Map<string, TokenProcess>();

/** A key in a token that a PKCS#11 module reaches: a hardware module, a smart card, or SoftHSM. @throws Error */
export async function pkcs11Key(
  { module, token, label, pin_env }: Settings,
  variables: (name: string) => string | undefined,
): Promise<SigningKey> {
  const pin = variables(pin_env);
  if (pin === undefined) throw new Error(`source.pkcs11.pin_env ${pin_env} is not set`);
  const name = JSON.stringify([module, token, pin_env]);
  const asked = processes.get(name) ?? new TokenProcess({ module, token, pin }, pin_env);
  processes.set(name, asked);
  const publicKey = await asked.ask({ label, digest: null });
  return { publicKey, sign: (_rawData, digest) => asked.ask({ label, digest, publicKey }) };
}
