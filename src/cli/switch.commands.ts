import { Inject } from '@nestjs/common';
import { PoolAdminService } from '../admin/pool-admin.service';
import type { SwitchName } from '../chain/pool/switches/switch.sql';
import { Switches } from '../chain/pool/switches/switches';
import { CliCommand, Command, type CommandEffect, type CommandOption } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { type OutputOptions, printDocument } from './output';

interface PauseOptions extends OutputOptions {
  readonly reason?: string;
}

const REASON: CommandOption = { flags: '--reason <text>', description: 'why; kept with the switch', read: String };
const PUBLIC_REASON = {
  ...REASON,
  description: 'why; kept with the switch and shown on the status page (STATUS_PAGE=on)',
};

/** Each switch has the same three commands. */
abstract class PauseCommand extends CliCommand {
  protected abstract readonly what: SwitchName;

  @Inject() private readonly admin!: PoolAdminService;

  async run(_: string[], options: PauseOptions): Promise<void> {
    const state = await this.admin.pause(commandLineOperator(), this.what, options.reason ?? null);
    printDocument({ ...state }, options);
  }
}

abstract class ResumeCommand extends CliCommand {
  protected abstract readonly what: SwitchName;

  @Inject() private readonly admin!: PoolAdminService;

  async run(_: string[], options: OutputOptions): Promise<void> {
    printDocument({ ...(await this.admin.resume(commandLineOperator(), this.what)) }, options);
  }
}

abstract class StateCommand extends CliCommand {
  static override readonly effect: CommandEffect = 'reads';

  protected abstract readonly what: SwitchName;

  @Inject() private readonly switches!: Switches;

  async run(_: string[], options: OutputOptions): Promise<void> {
    printDocument({ ...(await this.switches.read(this.what)) }, options);
  }
}

@Command({
  name: 'orders:pause',
  description: 'refuse all new orders on every instance; reclaims continue',
  options: [PUBLIC_REASON],
})
export class OrdersPauseCommand extends PauseCommand {
  protected readonly what = 'orders';
}

@Command({ name: 'orders:resume', description: 'accept new orders again' })
export class OrdersResumeCommand extends ResumeCommand {
  protected readonly what = 'orders';
}

@Command({ name: 'orders:state', description: 'show whether new orders are accepted' })
export class OrdersStateCommand extends StateCommand {
  protected readonly what = 'orders';
}

@Command({
  name: 'reclaims:pause',
  description: 'take no energy back on any instance, whatever is due; new orders continue',
  options: [REASON],
})
export class ReclaimsPauseCommand extends PauseCommand {
  protected readonly what = 'reclaims';
}

@Command({ name: 'reclaims:resume', description: 'take energy back again when it is due' })
export class ReclaimsResumeCommand extends ResumeCommand {
  protected readonly what = 'reclaims';
}

@Command({ name: 'reclaims:state', description: 'show whether energy that is due is taken back' })
export class ReclaimsStateCommand extends StateCommand {
  protected readonly what = 'reclaims';
}
