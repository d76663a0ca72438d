import { Command } from 'nest-commander';
import { TokenAdminService } from '../admin/token-admin.service';
import { CliCommand } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { parseId } from './option-parsers';
import { type OutputOptions, printList } from './output';
import { TOKEN_COLUMNS, tokenDocument } from './token.document';

@Command({ name: 'token:revoke', arguments: '<id>', description: 'refuse a token from the next request on' })
export class TokenRevokeCommand extends CliCommand {
  constructor(private readonly admin: TokenAdminService) {
    super();
  }

  override check([id]: string[]): void {
    parseId(id!);
  }

  async run([id]: string[], options: OutputOptions): Promise<void> {
    const revoked = await this.admin.revoke(commandLineOperator(), parseId(id!));
    printList(TOKEN_COLUMNS, [tokenDocument(revoked)], options);
  }
}
