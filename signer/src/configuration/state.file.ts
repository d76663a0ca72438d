import { statSync } from 'node:fs';
import { StartError } from '../refusal';
import type { Configuration, Source } from './configuration';

interface NamedFile {
  readonly name: string;
  readonly path: string;
}

/** The log is written and, after a power cut, cut: it must be no other file that the signer has, by whatever path. @throws StartError */
export function checkState({ state, keys }: Configuration, others: readonly NamedFile[]): void {
  const sources = keys.flatMap(({ id, source }) => fileOf(id, source));
  const taken = identityOf(state);
  if (taken === null) return;
  const same = [...others, ...sources].filter(({ path }) => identityOf(path) === taken);
  if (same.length > 0) throw new StartError(same.map(({ name }) => `state ${state} is the same file as ${name}`));
}

function fileOf(id: string, source: Source): NamedFile[] {
  if ('file' in source) return [{ name: `source.file of key ${id}`, path: source.file }];
  return 'pkcs11' in source ? [{ name: `source.pkcs11.module of key ${id}`, path: source.pkcs11.module }] : [];
}

/** Null where no file is. */
function identityOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return null;
  }
}
