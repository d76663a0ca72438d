import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The process's environment over what `.env` in the working directory says. The only reader of `process.env`. */
export function readEnvironment(): Environment {
  return { ...readEnvFile('.env'), ...process.env };
}

function readEnvFile(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
