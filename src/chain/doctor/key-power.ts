import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { describeError } from '../../common/errors/describe-error';
import { DiagnoseKeys } from './diagnose-keys';

/** A key that could do more than lend, take back or activate; or one whose permission no node shows. */
const KINDS = new Set(['too_powerful_key', 'account_unread']);

/** The service does not start with such keys (`POWERFUL_KEYS=refuse`). One line for each of them, without any key. */
export class PowerfulKeyError extends Error {
  constructor(lines: readonly string[]) {
    super(`POWERFUL_KEYS=refuse, and:\n${lines.map((line) => `  - ${line}`).join('\n')}`);
    this.name = 'PowerfulKeyError';
  }
}

/** At the start: may each wallet's key do only what it is here for? Whoever gets hold of it may do just as much. */
@Injectable()
export class KeyPower {
  private readonly logger = new Logger('Keys');

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly doctor: DiagnoseKeys,
  ) {}

  /** Before anything is served. @throws PowerfulKeyError */
  async refuseIfAsked(): Promise<void> {
    if (this.configuration.powerfulKeys !== 'refuse') return;
    const lines = await this.find();
    if (lines.length > 0) throw new PowerfulKeyError(lines);
  }

  /** Keeps nobody waiting: a node that is away would hold up the start of a service that can go on without it for a while. */
  async warnIfAsked(): Promise<void> {
    if (this.configuration.powerfulKeys !== 'warn') return;
    try {
      for (const line of await this.find()) this.logger.warn(line);
    } catch (error) {
      this.logger.warn(`The power of the keys is not known: ${describeError(error)}`);
    }
  }

  private async find(): Promise<string[]> {
    const found = await this.doctor.run();
    const powerful = found.filter(({ kind }) => KINDS.has(kind));
    return powerful.map(({ subject, reason, next_step }) => `wallet ${subject}: ${reason}. ${next_step}`);
  }
}
