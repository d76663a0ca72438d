import { Command, Option } from 'nest-commander';
import { PoolAdminService } from '../admin/pool-admin.service';
import { OrderSwitches } from '../chain/wallets/order-switches';
import { CliCommand, type CommandEffect } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { type OutputOptions, printDocument } from './output';

interface PauseOptions extends OutputOptions {
  readonly reason?: string;
}

@Command({ name: 'orders:pause', description: 'refuses all new orders on every instance; reclaims go on' })
export class OrdersPauseCommand extends CliCommand {
  constructor(private readonly admin: PoolAdminService) {
    super();
  }

  @Option({ flags: '--reason <text>', description: 'kept for the next reader' })
  protected readReason(text: string): string {
    return text;
  }

  async run(_: string[], options: PauseOptions): Promise<void> {
    printDocument({ ...(await this.admin.pauseOrders(commandLineOperator(), options.reason ?? null)) }, options);
  }
}

@Command({ name: 'orders:resume', description: 'takes new orders again' })
export class OrdersResumeCommand extends CliCommand {
  constructor(private readonly admin: PoolAdminService) {
    super();
  }

  async run(_: string[], options: OutputOptions): Promise<void> {
    printDocument({ ...(await this.admin.resumeOrders(commandLineOperator())) }, options);
  }
}

@Command({ name: 'orders:state', description: 'whether new orders are taken' })
export class OrdersStateCommand extends CliCommand {
  static override readonly effect: CommandEffect = 'reads';

  constructor(private readonly switches: OrderSwitches) {
    super();
  }

  async run(_: string[], options: OutputOptions): Promise<void> {
    printDocument({ ...(await this.switches.read()) }, options);
  }
}
