import { Inject } from '@nestjs/common';
import { ChainAdminService } from '../admin/chain-admin.service';
import { CliCommand, Command } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { parsePositiveInteger } from './option-parsers';
import { type OutputOptions, printDocument } from './output';

const MOST_HEIGHT = 9_999_999_999;

@Command({
  name: 'chain:accept-block',
  argument: { name: '<height>', read: (text) => parsePositiveInteger('the height', text, MOST_HEIGHT) },
  description: 'accept what the nodes list for this final block, whose transactions cannot be proved',
})
export class ChainAcceptBlockCommand extends CliCommand {
  @Inject() private readonly admin!: ChainAdminService;

  async run([height]: string[], options: OutputOptions): Promise<void> {
    const { number, id, transactions } = await this.admin.acceptBlock(Number(height), commandLineOperator());
    printDocument({ number, id, transactions }, options);
  }
}

@Command({
  name: 'chain:accept-branch',
  argument: { name: '<block-id>' },
  description:
    'use the branch with this block from now on, although it undoes a final block (a private network that was set back)',
})
export class ChainAcceptBranchCommand extends CliCommand {
  @Inject() private readonly admin!: ChainAdminService;

  async run([blockId]: string[], options: OutputOptions): Promise<void> {
    const { final, replaced } = await this.admin.acceptBranch(blockId!, commandLineOperator());
    const before = { replaced_number: replaced.number, replaced_id: replaced.id };
    printDocument({ final_number: final.number, final_id: final.id, ...before }, options);
  }
}
