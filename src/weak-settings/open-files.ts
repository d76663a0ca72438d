import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Weakness, weakness } from '../common/weakness';

const READ_OR_WRITE = 0o006;
const ENTER = 0o001;

/** The files that every account of the machine can read or write: not those in a folder that others cannot enter. */
export function openFiles(paths: readonly string[]): Weakness[] {
  return [...new Set(paths.map((path) => resolve(path)))].flatMap((path) => {
    const mode = modeOf(path);
    if (mode === null || (mode & READ_OR_WRITE) === 0 || !canBeEntered(dirname(path))) return [];
    return [weakness('file_open_to_others', path, { path, mode: (mode & 0o777).toString(8).padStart(4, '0') })];
  });
}

/** Null: the file is missing, or this account may not look at it. */
function modeOf(path: string): number | null {
  try {
    return statSync(path).mode;
  } catch {
    return null;
  }
}

/** By all accounts, from the root down. */
function canBeEntered(folder: string): boolean {
  const mode = modeOf(folder);
  if (mode === null || (mode & ENTER) === 0) return false;
  return dirname(folder) === folder || canBeEntered(dirname(folder));
}
