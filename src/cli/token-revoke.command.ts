import { Command } from 'nest-commander';
import { ApiTokenService } from '../auth/tokens/api-token.service';
import { CliCommand } from './cli-command';
import { parseId } from './option-parsers';
import { type OutputOptions, printList } from './output';
import { TOKEN_COLUMNS, tokenDocument } from './token.document';

@Command({ name: 'token:revoke', arguments: '<id>', description: 'refuse a token from the next request on' })
export class TokenRevokeCommand extends CliCommand {
  constructor(private readonly tokens: ApiTokenService) {
    super();
  }

  override check([id]: string[]): void {
    parseId(id!);
  }

  async run([id]: string[], options: OutputOptions): Promise<void> {
    printList(TOKEN_COLUMNS, [tokenDocument(await this.tokens.revoke(parseId(id!)))], options);
  }
}
