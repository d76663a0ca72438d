import { Inject } from '@nestjs/common';
import { LedgerService } from '../balance/ledger.service';
import { formatTrx } from '../common/money/sun';
import { UserService } from '../users/user.service';
import { Command } from './cli-command';
import { ListCommand, type ListOptions } from './list-command';
import { OF_USER } from './option-parsers';
import { printList } from './output';

@Command({ name: 'ledger:list', description: "list a user's ledger entries, newest first", options: [OF_USER] })
export class LedgerListCommand extends ListCommand {
  @Inject() private readonly users!: UserService;
  @Inject() private readonly ledger!: LedgerService;

  async run(_: string[], options: ListOptions & { user: string }): Promise<void> {
    const { id } = await this.users.get(options.user);
    const entries = await this.ledger.listEntries(id, { limit: options.limit });
    const rows = entries.map((entry) => ({
      id: entry.id.toString(),
      at: entry.at,
      kind: entry.kind,
      amount: formatTrx(entry.amountSun),
      balance: formatTrx(entry.balanceSun),
      delegation_id: entry.delegationId,
      note: entry.note,
      reference: entry.reference,
    }));
    printList(['id', 'at', 'kind', 'amount', 'balance', 'delegation_id', 'note'], rows, options);
  }
}
