import { basename, isAbsolute } from 'node:path';
import { InvalidValueError } from '../../../common/errors/domain.error';

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** As many as a private key has: a shell that was given `$POOL_KEY` has put the key in the place of its name. */
const KEY_DIGITS = /[0-9a-f]{64}/i;

/** As the signer's configuration has it. */
const SIGNER_ID = /^[A-Za-z0-9._-]{1,64}$/;
const IN_SIGNER = 'signer:';

export const KEY_KINDS = ['env', 'file', 'signer'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/**
 * As a wallet's row names where its key is: `env:NAME`, `file:/path`, or `signer:ID` for a key of the signer.
 * @throws InvalidValueError, which never repeats what was given: it may be the key
 */
export function keySourceOf(kind: KeyKind, place: string): string {
  if (kind === 'env' && (!VARIABLE.test(place) || KEY_DIGITS.test(place)))
    throw new InvalidValueError('wallet.key-variable-invalid');
  if (kind === 'file' && !isAbsolute(place)) throw new InvalidValueError('wallet.key-file-not-absolute');
  if (kind === 'file' && KEY_DIGITS.test(basename(place))) throw new InvalidValueError('wallet.key-file-invalid');
  if (kind === 'signer' && (!SIGNER_ID.test(place) || KEY_DIGITS.test(place)))
    throw new InvalidValueError('wallet.signer-key-invalid');
  return `${kind}:${place}`;
}

/** The id of a key that the signer has; null: the key lies in this process. */
export function signerKeyId(source: string): string | null {
  return source.startsWith(IN_SIGNER) ? source.slice(IN_SIGNER.length) : null;
}

/** The same of a row's text. @throws InvalidValueError */
export function checkKeySource(source: string): void {
  const kind = knownKind(source);
  if (!kind) throw new InvalidValueError('wallet.key-variable-invalid');
  keySourceOf(kind, source.slice(kind.length + 1));
}

/** Where the key is, for people. */
export function keyKindOf(source: string): KeyKind {
  return knownKind(source) ?? 'file';
}

function knownKind(source: string): KeyKind | undefined {
  return KEY_KINDS.find((known) => source.startsWith(`${known}:`));
}

/** What may be printed of it: a row that was written by hand may hold the key itself. */
export function shownKeySource(source: string): string {
  return holdsKey(source) ? '(not shown)' : source;
}

/** What was given or stored in place of the key's name. */
export function holdsKey(source: string): boolean {
  return KEY_DIGITS.test(source.startsWith('file:') ? basename(source) : source);
}
