import { Inject } from '@nestjs/common';
import { FindingAdminService } from '../admin/finding-admin.service';
import { checkNote } from '../balance/movement-values';
import type { Finding } from '../findings/finding';
import { inEnglish, textsOf } from '../findings/finding-text';
import { FindingRepository } from '../findings/finding.repository';
import type { FindingView } from '../findings/finding.statements';
import { CliCommand, Command } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { ListCommand, type ListOptions } from './list-command';
import { parseNumber } from './option-parsers';
import { type Document, type OutputOptions, printDocument, printList } from './output';
import { UsageError } from './usage.error';

export const FOUND_COLUMNS = ['id', 'kind', 'subject', 'reason', 'next_step'] as const;

/** As found this moment; the id is of the row that the reconciler keeps, null until it has one. */
export function foundNow(findings: readonly Finding[], ids: ReadonlyMap<string, bigint>): Document[] {
  return findings.map((finding) => ({
    id: ids.get(`${finding.kind} ${finding.subject}`)?.toString() ?? null,
    ...inEnglish(finding),
  }));
}

function storedFinding(finding: FindingView): Document {
  const { reason, nextStep, action } = textsOf(finding, 'en');
  return {
    id: finding.id.toString(),
    kind: finding.kind,
    subject: finding.subject,
    reason: reason.text,
    next_step: nextStep.text,
    action: action && action.text,
    first_seen_at: finding.first_seen_at,
    last_seen_at: finding.last_seen_at,
    resolved_at: finding.resolved_at,
    acknowledged_at: finding.acknowledged_at,
    note: finding.note,
  };
}

interface FindingListOptions extends ListOptions {
  readonly resolved?: boolean;
}

const COLUMNS = [...FOUND_COLUMNS, 'action', 'first_seen_at', 'last_seen_at'] as const;

@Command({
  name: 'finding:list',
  description: 'list the open findings of the reconciler',
  options: [{ flags: '--resolved', description: 'also list resolved and acknowledged findings' }],
})
export class FindingListCommand extends ListCommand {
  @Inject() private readonly findings!: FindingRepository;

  async run(_: string[], { resolved, limit, ...options }: FindingListOptions): Promise<void> {
    const found = await this.findings.list({ resolved, limit });
    const columns = resolved ? [...COLUMNS, 'resolved_at', 'acknowledged_at', 'note'] : COLUMNS;
    printList(columns, found.map(storedFinding), options);
  }
}

interface AcknowledgeOptions extends OutputOptions {
  readonly note: string;
}

@Command({
  name: 'finding:acknowledge',
  argument: { name: '<id>', read: parseNumber },
  description:
    'acknowledge a shortage, the use of a wallet outside the service, or a finding about a removed wallet: audit and alarm stop counting it, and a wallet that was paused for it takes orders again',
  options: [
    { flags: '--note <text>', description: 'what happened; kept with the finding', read: readNote, required: true },
  ],
})
export class FindingAcknowledgeCommand extends CliCommand {
  @Inject() private readonly admin!: FindingAdminService;

  async run([id]: string[], { note, ...options }: AcknowledgeOptions): Promise<void> {
    const finding = await this.admin.acknowledge(commandLineOperator(), parseNumber(id!), { note });
    printDocument(storedFinding(finding), options);
  }
}

function readNote(note: string): string {
  if (note.trim() === '') throw new UsageError('--note must not be empty');
  return checkNote(note);
}
