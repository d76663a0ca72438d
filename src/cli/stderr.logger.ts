import { ConsoleLogger, type LogLevel } from '@nestjs/common';

/** stdout carries a command's result and nothing else. */
export class StderrLogger extends ConsoleLogger {
  constructor() {
    super({ logLevels: ['fatal', 'error', 'warn'] });
  }

  protected override printMessages(messages: unknown[], context?: string, logLevel?: LogLevel): void {
    super.printMessages(messages, context, logLevel, 'stderr');
  }
}
