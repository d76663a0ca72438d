import { lstatSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { linesProblem } from './settings-lines';
import { decodeText } from './text-file';

/** Stands there after another file was appended to one. */
const MARK_OF_A_LINE = /^\ufeff/gm;

/** The file is there and cannot be gone by: to go on without it would be to go on with other settings. */
export class SettingsFileError extends Error {
  constructor(
    readonly path: string,
    readonly problem: string,
  ) {
    super(`The settings in ${path} cannot be read: ${problem}`);
    this.name = 'SettingsFileError';
  }
}

/** What `.env` says; nothing where there is none. @throws SettingsFileError */
export function readSettingsFile(path: string): Record<string, string | undefined> {
  const full = resolve(path);
  const text = textOf(full);
  if (text === null) return {};
  if (text.includes('\0'))
    throw new SettingsFileError(full, 'it is not text in UTF-8, or in UTF-16 with a byte-order mark');
  const unmarked = text.replaceAll(MARK_OF_A_LINE, '');
  const settings = parseEnv(unmarked);
  const broken = Object.keys(settings).find((name) => settings[name]?.includes('\ufffd'));
  if (broken !== undefined) throw new SettingsFileError(full, `the value of ${broken} is not text in UTF-8`);
  const problem = linesProblem(unmarked);
  if (problem !== null) throw new SettingsFileError(full, problem);
  return settings;
}

function textOf(path: string): string | null {
  try {
    return decodeText(readFileSync(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !isLink(path)) return null;
    if (code === 'ENOENT') throw new SettingsFileError(path, 'it is a link to a file that does not exist');
    throw new SettingsFileError(path, code === 'EISDIR' ? 'it is a directory' : String(code));
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
