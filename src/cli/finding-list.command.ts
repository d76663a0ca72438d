import { Command, Option } from 'nest-commander';
import { FindingStore } from '../findings/finding.store';
import { storedFinding } from './finding.document';
import { ListCommand, type ListOptions } from './list-command';
import { printList } from './output';

interface FindingListOptions extends ListOptions {
  readonly resolved?: boolean;
}

const COLUMNS = ['id', 'kind', 'subject', 'reason', 'next_step', 'action', 'first_seen_at', 'last_seen_at'] as const;

@Command({ name: 'finding:list', description: 'what the reconciler found and has not seen to be gone' })
export class FindingListCommand extends ListCommand {
  constructor(private readonly findings: FindingStore) {
    super();
  }

  @Option({ flags: '--resolved', description: 'with those that are gone or acknowledged' })
  protected readResolved(): boolean {
    return true;
  }

  async run(_: string[], { resolved, limit, ...options }: FindingListOptions): Promise<void> {
    const found = await this.findings.list({ resolved, limit });
    const columns = resolved ? [...COLUMNS, 'resolved_at', 'acknowledged_at', 'note'] : COLUMNS;
    printList(
      columns,
      found.map((finding) => storedFinding(finding)),
      options,
    );
  }
}
