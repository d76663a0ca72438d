import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * What the examples of each language run with, and the Debian package that brings it. Where every change is checked they are installed
 * and must run; Go, by far the largest, runs where it is there.
 */
export const EXAMPLE_PROGRAMS = {
  curl: { programs: ['bash', 'curl', 'openssl'], packages: ['bash', 'curl', 'openssl'] },
  python: { programs: ['python3'], packages: ['python3'] },
  php: { programs: ['php'], packages: ['php-cli'] },
  go: { programs: ['go'], packages: [] },
};

export function isThere(program) {
  return (process.env.PATH ?? '').split(delimiter).some((directory) => {
    try {
      accessSync(join(directory, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The languages whose examples cannot run here. */
export function languagesMissing() {
  return Object.keys(EXAMPLE_PROGRAMS).filter((language) => !EXAMPLE_PROGRAMS[language].programs.every(isThere));
}
