import { Command } from 'nest-commander';
import { formatTrx } from '../common/money/sun';
import { UserService } from '../users/user.service';
import { ListCommand, type ListOptions } from './list-command';
import { printList } from './output';
import { userDocument } from './user.document';

const COLUMNS = ['id', 'email', 'name', 'operator', 'unit_price', 'rate_limit', 'disabled', 'balance'];

@Command({ name: 'user:list', description: 'all users with their balances, oldest first' })
export class UserListCommand extends ListCommand {
  constructor(private readonly users: UserService) {
    super();
  }

  async run(_: string[], options: ListOptions): Promise<void> {
    const users = await this.users.list(options.limit);
    const rows = users.map((user) => ({ ...userDocument(user), balance: formatTrx(user.balanceSun) }));
    printList(COLUMNS, rows, options);
  }
}
