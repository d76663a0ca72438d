import { Command, Option } from 'nest-commander';
import { TokenListRepository } from '../auth/tokens/token-list.repository';
import { UserService } from '../users/user.service';
import { checkEmail } from '../users/user.validation';
import { ListCommand, type ListOptions } from './list-command';
import { printList } from './output';
import { TOKEN_COLUMNS, tokenDocument } from './token.document';

@Command({ name: 'token:list', description: "a user's tokens, newest first, revoked and expired ones included" })
export class TokenListCommand extends ListCommand {
  constructor(
    private readonly users: UserService,
    private readonly tokens: TokenListRepository,
  ) {
    super();
  }

  @Option({ flags: '--user <email>', required: true })
  protected readUser(email: string): string {
    return checkEmail(email);
  }

  async run(_: string[], options: ListOptions & { user: string }): Promise<void> {
    const { id } = await this.users.get(options.user);
    printList(TOKEN_COLUMNS, (await this.tokens.page(id, { limit: options.limit })).map(tokenDocument), options);
  }
}
