import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { AuditLog, type Operator } from '../../audit-log/audit-log';
import { signerOf } from '../../chain/proof/witness-signature';
import { toHexAddress } from '../../chain/tron/addresses';
import { DomainError } from '../../common/errors/domain.error';
import { formatTrx } from '../../common/money/sun';
import { readSweep, txIdOf } from './sweep-bytes';
import type { SignedEntry } from './sweep-file';
import { PLANNED_AMONG, SIGNED } from './sweep.statements';

/** Commits signatures that were made elsewhere, before anything is sent. All of a file, or nothing of it. */
@Injectable()
export class TakeSigned {
  constructor(
    private readonly auditLog: AuditLog,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  /** What was taken before stays as it is: the same file can be given again. @throws DomainError */
  take(operator: Operator, entries: readonly SignedEntry[]): Promise<void> {
    const sun = entries.reduce((sum, { amount }) => sum + amount, 0n);
    const asked = { sweeps: entries.length, trx: formatTrx(sun) };
    return this.auditLog.record(operator, { action: 'deposit.sweep-send', subject: 'service', asked }, async (tx) => {
      const to = this.configuration.deposits?.sweepTo;
      if (to === undefined) throw new DomainError('sweep.no-destination');
      const rows = await tx.rows(PLANNED_AMONG, [entries.map(({ id }) => id)]);
      const planned = new Map(rows.map((row) => [row.id, row]));
      for (const entry of entries) {
        const reason = refusalOf(entry, planned.get(entry.id), to);
        if (reason !== null) throw new DomainError('sweep.not-taken', { id: entry.id, reason });
      }
      const signatures = entries.map(({ id, signature }) => ({ id, signature }));
      const taken = await tx.execute(SIGNED, [JSON.stringify(signatures)]);
      return { result: undefined, after: { ...asked, taken } };
    });
  }
}

function refusalOf(
  { rawDataHex, signature }: SignedEntry,
  row: { readonly address: string; readonly tx_id: string } | undefined,
  to: string,
): string | null {
  if (!row) return 'no plan of this database has it';
  const txId = txIdOf(rawDataHex);
  if (row.tx_id !== txId) return 'other bytes were planned';
  // The setting may have changed since the plan.
  const raw = readSweep(rawDataHex);
  if (typeof raw === 'string') return raw;
  if (raw.values['to_address'] !== toHexAddress(to)) return `it does not pay ${to} (DEPOSIT_SWEEP_TO)`;
  if (signerOf(Buffer.from(txId, 'hex'), signature) !== toHexAddress(row.address))
    return 'its signature is of another key, or of other bytes';
  return null;
}
