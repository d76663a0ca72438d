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

const REASON: CommandOption = { flags: '--reason <text>', description: 'kept for the next reader', read: String };
const PUBLIC_REASON = { ...REASON, description: 'kept for the next reader; the status page (STATUS_PAGE=on) shows it' };

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
  description: 'refuses all new orders on every instance; reclaims go on',
  options: [PUBLIC_REASON],
})
export class OrdersPauseCommand extends PauseCommand {
  protected readonly what = 'orders';
}

@Command({ name: 'orders:resume', description: 'takes new orders again' })
export class OrdersResumeCommand extends ResumeCommand {
  protected readonly what = 'orders';
}

@Command({ name: 'orders:state', description: 'whether new orders are taken' })
export class OrdersStateCommand extends StateCommand {
  protected readonly what = 'orders';
}

@Command({
  name: 'reclaims:pause',
  description: 'takes no stake back on any instance, whatever is due; new orders go on',
  options: [REASON],
})
export class ReclaimsPauseCommand extends PauseCommand {
  protected readonly what = 'reclaims';
}

@Command({ name: 'reclaims:resume', description: 'takes back what is due again' })
export class ReclaimsResumeCommand extends ResumeCommand {
  protected readonly what = 'reclaims';
}

@Command({ name: 'reclaims:state', description: 'whether what is due is taken back' })
export class ReclaimsStateCommand extends StateCommand {
  protected readonly what = 'reclaims';
}
