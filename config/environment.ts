import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readSettingsFile } from './settings-file';

export type Environment = Readonly<Record<string, string | undefined>>;

const SETTINGS_FILE = '.env';

/**
 * The process's environment over what `.env` in the working directory says. An empty variable is none, as everywhere else: compose files
 * and shells pass them on. The only reader of `process.env`. @throws SettingsFileError
 */
export function readEnvironment(): Environment {
  const given = Object.entries(process.env).filter(([, value]) => value !== undefined && value.trim() !== '');
  return { ...readSettingsFile(SETTINGS_FILE), ...Object.fromEntries(given) };
}

/** The files that settings may have come from; the second is read by systemd and energy-cli. */
export function settingsFiles(): string[] {
  return [resolve(SETTINGS_FILE), process.env['SETTINGS_FILE']].flatMap((path) => path || []);
}

/** Where settings are looked for, as an operator who finds one missing wants to know. */
export function describeSources(): string {
  // As systemd and energy-cli say, which have read it into the environment.
  const given = process.env['SETTINGS_FILE'];
  if (given) return `${given} and the environment`;
  const path = resolve(SETTINGS_FILE);
  return existsSync(path) ? `the environment and ${path}` : `the environment alone: ${path} does not exist`;
}

/**
 * The folder in which a command was typed. npm and energy-cli run it in the program's own folder, and keep the other one in a variable,
 * which a program that they have started may pass on to a command that it runs elsewhere.
 */
export function callersFolder(): string {
  return (process.cwd() === programFolder() && process.env['INIT_CWD']) || process.cwd();
}

function programFolder(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** The account that `sudo` or energy-cli has made another one of, for a command. */
export function callersAccount(): string | undefined {
  return process.env['SUDO_USER'];
}
