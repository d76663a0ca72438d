import { Command, Option } from 'nest-commander';
import { FindingAdminService } from '../admin/finding-admin.service';
import { checkNote } from '../balance/movement-values';
import { CliCommand } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { storedFinding } from './finding.document';
import { parseNumber } from './option-parsers';
import { type OutputOptions, printDocument } from './output';
import { UsageError } from './usage.error';

interface AcknowledgeOptions extends OutputOptions {
  readonly note: string;
}

@Command({
  name: 'finding:acknowledge',
  arguments: '<id>',
  description: 'a shortage was looked into: audit and alarm no longer count it, unless it grows',
})
export class FindingAcknowledgeCommand extends CliCommand {
  constructor(private readonly admin: FindingAdminService) {
    super();
  }

  @Option({ flags: '--note <text>', description: 'what it was; kept with the finding', required: true })
  protected readNote(note: string): string {
    if (note.trim() === '') throw new UsageError('--note must not be empty');
    return checkNote(note);
  }

  override check([id]: string[]): void {
    parseNumber(id!);
  }

  async run([id]: string[], { note, ...options }: AcknowledgeOptions): Promise<void> {
    const finding = await this.admin.acknowledge(commandLineOperator(), parseNumber(id!), { note });
    printDocument(storedFinding(finding), options);
  }
}
