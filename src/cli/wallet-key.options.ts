import { resolve } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Option } from 'nest-commander';
import { DiagnoseKeys } from '../chain/doctor/diagnose-keys';
import { CliCommand } from './cli-command';
import { UsageError } from './usage.error';

export interface WalletKeyOptions {
  readonly keyEnv?: string;
  readonly keyFile?: string;
  readonly permissionId?: number;
}

/** Where a wallet's key is, and which permission of the account it belongs to. */
@Injectable()
export abstract class WalletKeyCommand extends CliCommand {
  @Option({ flags: '--key-env <VAR>', description: "the environment variable that holds the wallet's private key" })
  protected readKeyEnv(name: string): string {
    return name;
  }

  @Option({ flags: '--key-file <PATH>', description: "the file that holds the wallet's private key" })
  protected readKeyFile(path: string): string {
    return resolve(path);
  }

  @Option({ flags: '--permission-id <id>', description: "the account permission of the key; 0 is the owner's" })
  protected readPermissionId(text: string): number {
    if (!/^\d$/.test(text)) throw new UsageError(`--permission-id must be 0 to 9, not ${JSON.stringify(text)}`);
    return Number(text);
  }
}

/** As a wallet's row names it; undefined when neither was given. */
export function keySourceOf({ keyEnv, keyFile }: WalletKeyOptions): string | undefined {
  if (keyEnv !== undefined) return `env:${keyEnv}`;
  return keyFile === undefined ? undefined : `file:${keyFile}`;
}

function warnOperator(message: string): void {
  process.stderr.write(`Warning: ${message}\n`);
}

/** What doctor would find of the wallet, after the result was printed: a warning changes neither the result nor the exit code. */
export async function warnOfFindings(doctor: DiagnoseKeys, name: string): Promise<void> {
  for (const { reason, next_step } of await doctor.runFor(name)) warnOperator(`${name}: ${reason}. ${next_step}`);
}
