import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';

export type Environment = Readonly<Record<string, string | undefined>>;

const SETTINGS_FILE = '.env';

/** The process's environment over what `.env` in the working directory says. The only reader of `process.env`. */
export function readEnvironment(): Environment {
  return { ...readEnvFile(SETTINGS_FILE), ...process.env };
}

/** Where settings are looked for, as an operator who finds one missing wants to know. */
export function describeSources(): string {
  const path = resolve(SETTINGS_FILE);
  return existsSync(path) ? `the environment and ${path}` : `the environment alone, for there is no ${path}`;
}

/** The folder in which a command was typed: npm runs its scripts in the program's own folder and keeps this one in a variable. */
export function callersFolder(): string {
  return process.env['INIT_CWD'] ?? process.cwd();
}

/** The account that `sudo` or energy-cli has made another one of, for a command. */
export function callersAccount(): string | undefined {
  return process.env['SUDO_USER'];
}

function readEnvFile(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
