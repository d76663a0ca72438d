import { Injectable } from '@nestjs/common';
import { AuditLog, type AuditView } from '../../audit-log/audit-log';
import { QuarantinesRepository } from '../../audit-log/quarantines.repository';
import { ReferenceBlocks } from '../../chain/verified-chain/reference-blocks';
import type { Diagnosis } from '../../chain/pool/doctor/diagnosis';
import type { WalletRow } from '../../chain/pool/wallets/wallet-row';
import { EnergyOutlook, type EnergyOutlookView } from '../../reporting/outlooks/energy-outlook';
import type { WalletFault } from '../../common/wallet-causes';
import { OrderOutlook } from '../../reporting/outlooks/order-outlook';
import { FindingRepository } from '../../findings/finding.repository';
import type { FindingRow } from '../../findings/finding.statements';
import { WalletDoctor } from './wallet-doctor';

export interface WalletDetailsView {
  /** Why an active one takes no orders now. */
  readonly fault: WalletFault | null;
  /** Null: it does not lend, or the chain's rate is not known. */
  readonly energy: EnergyOutlookView | null;
  /** Open ones about it, those first that may mean a stolen key. */
  readonly findings: readonly FindingRow[];
  /** Who has set its state last, an operator or the reconciler; null: nobody since it was added. */
  readonly setBy: AuditView | null;
  /** The reconciler has paused it since it last took orders. What was found may have gone: somebody may have covered the tracks. */
  readonly quarantined: boolean;
  /** Null: not known yet. */
  readonly diagnosis: readonly Diagnosis[] | null;
  /** By which unfreezings are over or not. */
  readonly chainTimeMs: number;
}

/** Everything that explains why a wallet takes orders or does not. */
@Injectable()
export class WalletDetails {
  constructor(
    private readonly outlook: EnergyOutlook,
    private readonly newOrders: OrderOutlook,
    private readonly findings: FindingRepository,
    private readonly auditLog: AuditLog,
    private readonly quarantines: QuarantinesRepository,
    private readonly doctor: WalletDoctor,
    private readonly references: ReferenceBlocks,
  ) {}

  /** `check`: the doctor is waited for, however slow the nodes are. */
  async read(wallet: WalletRow, check: boolean): Promise<WalletDetailsView> {
    const { id, name } = wallet;
    const [energies, findings, [setBy = null], quarantined, diagnosis, orders] = await Promise.all([
      this.outlook.ofWallets(),
      this.findings.openOfWallet(id),
      this.auditLog.list({ subject: `wallet ${name}`, done: 'wallet.state', limit: 1 }),
      this.quarantines.has(name),
      this.doctor.ask(wallet, check),
      this.newOrders.now(),
    ]);
    const fault = orders.faults.get(id) ?? null;
    const chainTimeMs = this.references.shownTimeMs();
    return { fault, energy: energies?.get(name) ?? null, findings, setBy, quarantined, diagnosis, chainTimeMs };
  }
}
