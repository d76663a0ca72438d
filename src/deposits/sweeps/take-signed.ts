import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { AuditLog, type Operator } from '../../audit-log/audit-log';
import { signerOf } from '../../chain/proof/witness-signature';
import { toHexAddress } from '../../chain/tron/addresses';
import { DomainError } from '../../common/errors/domain.error';
import type { Asset } from '../deposit-states';
import { readSweep, txIdOf } from './sweep-bytes';
import { type SignedEntry, sumsOf } from './sweep-file';
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
    const asked = { sweeps: entries.length, ...sumsOf(entries) };
    return this.auditLog.record(operator, { action: 'deposit.sweep-send', subject: 'service', asked }, async (tx) => {
      const to = this.configuration.deposits?.sweepTo;
      if (to === undefined) throw new DomainError('sweep.no-destination');
      const rows = await tx.rows(PLANNED_AMONG, [entries.map(({ id }) => id)]);
      const planned = new Map(rows.map((row) => [row.id, row]));
      for (const entry of entries) {
        const reason = refusalOf(entry, planned.get(entry.id), to, this.configuration.nodes.usdtContract);
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
  row: { readonly address: string; readonly asset: Asset; readonly tx_id: string } | undefined,
  to: string,
  usdt: string,
): string | null {
  if (!row) return 'no plan of this database has it';
  const txId = txIdOf(rawDataHex);
  if (row.tx_id !== txId) return 'other bytes were planned';
  // The setting may have changed since the plan.
  const bytes = readSweep(rawDataHex, row.asset);
  if (typeof bytes === 'string') return bytes;
  if (bytes.token !== null && bytes.token !== toHexAddress(usdt)) return `it does not call ${usdt} (USDT_CONTRACT)`;
  if (bytes.to !== toHexAddress(to)) return `it does not pay ${to} (DEPOSIT_SWEEP_TO)`;
  if (signerOf(Buffer.from(txId, 'hex'), signature) !== toHexAddress(row.address))
    return 'its signature is of another key, or of other bytes';
  return null;
}
