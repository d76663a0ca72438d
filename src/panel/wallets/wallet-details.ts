import { Injectable } from '@nestjs/common';
import { AuditLog, type AuditView } from '../../audit-log/audit-log';
import { DiagnoseKeys } from '../../chain/doctor/diagnose-keys';
import type { Diagnosis } from '../../chain/doctor/diagnosis';
import type { WalletRow } from '../../chain/wallets/wallet-row';
import { EnergyOutlook, type EnergyOutlookView } from '../../delegation/lookup/energy-outlook';
import { FindingRepository } from '../../findings/finding.repository';
import type { FindingRow } from '../../findings/finding.statements';

export interface WalletDetailsView {
  /** Null: it does not lend, or the chain's rate is not known. */
  readonly energy: EnergyOutlookView | null;
  /** Open ones about it. */
  readonly findings: readonly FindingRow[];
  /** Who has set its state last, an operator or the reconciler; null: nobody since it was added. */
  readonly setBy: AuditView | null;
  /** Null: not asked for. */
  readonly diagnosis: readonly Diagnosis[] | null;
}

const LATEST_ENTRIES = 20;

/** Everything that explains why a wallet takes orders or does not. */
@Injectable()
export class WalletDetails {
  constructor(
    private readonly outlook: EnergyOutlook,
    private readonly findings: FindingRepository,
    private readonly auditLog: AuditLog,
    private readonly doctor: DiagnoseKeys,
  ) {}

  /** `check`: the doctor reads its key and asks the node for its account. */
  async read({ id, name }: WalletRow, check: boolean): Promise<WalletDetailsView> {
    const [energies, findings, entries, diagnosis] = await Promise.all([
      this.outlook.ofWallets(),
      this.findings.openOfWallet(id),
      this.auditLog.list({ subject: `wallet ${name}`, limit: LATEST_ENTRIES }),
      check ? this.doctor.runFor(name) : null,
    ]);
    const setBy = entries.find(({ action, outcome }) => action === 'wallet.state' && outcome === 'done') ?? null;
    return { energy: energies?.get(name) ?? null, findings, setBy, diagnosis };
  }
}
