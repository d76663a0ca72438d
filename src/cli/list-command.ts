import { Option } from 'nest-commander';
import { CliCommand, type CommandEffect } from './cli-command';
import { parsePositiveInteger } from './option-parsers';
import type { OutputOptions } from './output';

export interface ListOptions extends OutputOptions {
  readonly limit?: number;
}

/** Lists are of all rows unless `--limit` is given. */
export abstract class ListCommand extends CliCommand {
  static override readonly effect: CommandEffect = 'reads';

  @Option({ flags: '--limit <rows>', description: 'list at most this many rows' })
  protected readLimit(text: string): number {
    return parsePositiveInteger('--limit', text, 1_000_000_000);
  }
}
