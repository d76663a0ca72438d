import { Module } from '@nestjs/common';
import { COMMANDS } from './cli.module';

/** Commands that need no setting, no database and no node: who checks what this service says has none of them. */
@Module({ providers: COMMANDS.filter(({ effect }) => effect === 'offline') })
export class OfflineModule {}
