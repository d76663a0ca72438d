import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { decodeText } from './text-file';

/** A name of any variable that a shell or an editor lets somebody type. */
const NAME = /^[\x21-\x7e]+$/;
/** Of a file that another one was appended to. */
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
    throw new SettingsFileError(full, 'it is no text in UTF-8, or in UTF-16 with a byte-order mark');
  const settings = parseEnv(text.replaceAll(MARK_OF_A_LINE, ''));
  for (const [name, value] of Object.entries(settings)) {
    if (!NAME.test(name)) {
      throw new SettingsFileError(full, `the name ${JSON.stringify(name)} has a character that no setting's name has`);
    }
    if (value?.includes('\ufffd')) throw new SettingsFileError(full, `the value of ${name} is no text in UTF-8`);
  }
  return settings;
}

function textOf(path: string): string | null {
  try {
    return decodeText(readFileSync(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new SettingsFileError(path, code === 'EISDIR' ? 'it is a directory' : String(code));
  }
}
