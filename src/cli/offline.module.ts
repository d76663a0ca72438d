import { Module } from '@nestjs/common';
import { ReceiptVerifyCommand } from './receipt.commands';

const OFFLINE_COMMANDS: readonly string[] = ['receipt:verify'];

/** Commands that need no setting, no database and no node: who checks what this service says has none of them. */
@Module({ providers: [ReceiptVerifyCommand] })
export class OfflineModule {}

export function isOffline([command = '']: readonly string[]): boolean {
  return OFFLINE_COMMANDS.includes(command);
}
