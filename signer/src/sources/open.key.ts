import type { KeySettings, Source } from '../configuration/configuration';
import { readFile } from '../configuration/private.file';
import { awsKmsKey } from './aws-kms.key';
import { localKey } from './local.key';
import { pkcs11Key } from './pkcs11.key';
import type { SigningKey } from './signing.key';

const MOST_BYTES = 1_000;
const NO_KEY = 'holds no private key (64 hex digits)';

/** Variables by name: several keys may name the same one, which is taken out of the environment once. */
export type Variables = (name: string) => string | undefined;

/** @throws Error with what is wrong, which never has the key */
export async function openKey({ source }: Pick<KeySettings, 'source'>, variables: Variables): Promise<SigningKey> {
  if ('aws_kms' in source) return awsKmsKey(source.aws_kms);
  if ('pkcs11' in source) return pkcs11Key(source.pkcs11, variables);
  return readKey(source, variables);
}

function readKey(source: Extract<Source, { file: string } | { env: string }>, variables: Variables): SigningKey {
  const [what, text] =
    'file' in source
      ? [
          `source.file ${source.file}`,
          readFile(source.file, { what: `source.file ${source.file}`, mostBytes: MOST_BYTES, secret: true }),
        ]
      : [`source.env ${source.env}`, variables(source.env)];
  if (text === undefined) throw new Error(`${what} is not set`);
  const key = localKey(text);
  if (!key) throw new Error(`${what} ${NO_KEY}`);
  return key;
}
