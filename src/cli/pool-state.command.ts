import { Injectable } from '@nestjs/common';
import { Command } from 'nest-commander';
import { PoolAdminService } from '../admin/pool-admin.service';
import type { WalletState } from '../chain/wallets/pool-wallet.entity';
import { CliCommand } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { type OutputOptions, printDocument } from './output';

@Injectable()
abstract class PoolStateCommand extends CliCommand {
  protected abstract readonly state: WalletState;

  constructor(private readonly admin: PoolAdminService) {
    super();
  }

  async run([name]: string[], options: OutputOptions): Promise<void> {
    const changed = await this.admin.setWalletState(commandLineOperator(), name!, this.state);
    printDocument({ ...changed }, options);
  }
}

@Command({ name: 'pool:pause', arguments: '<name>', description: 'gives a wallet no new orders; reclaims go on' })
export class PoolPauseCommand extends PoolStateCommand {
  protected readonly state = 'paused';
}

@Command({ name: 'pool:resume', arguments: '<name>', description: 'gives a wallet new orders again' })
export class PoolResumeCommand extends PoolStateCommand {
  protected readonly state = 'active';
}

@Command({
  name: 'pool:drain',
  arguments: '<name>',
  description: 'gives a wallet no new orders, for good; reclaims go on',
})
export class PoolDrainCommand extends PoolStateCommand {
  protected readonly state = 'draining';
}
