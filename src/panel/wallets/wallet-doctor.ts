import { Injectable } from '@nestjs/common';
import { DiagnoseKeys } from '../../chain/pool/doctor/diagnose-keys';
import type { Diagnosis } from '../../chain/pool/doctor/diagnosis';
import type { WalletRow } from '../../chain/pool/wallets/wallet-row';
import { Clock } from '../../common/clock';

/** A node that answers at all has answered by then; a page waits for a slow one only where the doctor was asked for. */
const PATIENCE_MS = 2_000;

/** What the doctor finds of a wallet, on each of its pages until it is gone. A key that cannot be read takes no node to be found. */
@Injectable()
export class WalletDoctor {
  /** By wallet, as it was found last: for as long as no node says more. */
  private readonly last = new Map<string, readonly Diagnosis[]>();

  constructor(
    private readonly doctor: DiagnoseKeys,
    private readonly clock: Clock,
  ) {}

  /** Null: not known yet. `patient`: however long the nodes take. */
  async ask(wallet: WalletRow, patient: boolean): Promise<readonly Diagnosis[] | null> {
    let found: readonly Diagnosis[] | null = null;
    const asked = this.diagnose(wallet).then((findings) => (found = findings));
    await (patient ? asked : this.clock.waitAtMost(PATIENCE_MS, asked));
    // After the page nobody waits for it any more.
    asked.catch(() => undefined);
    return found ?? this.last.get(wallet.id) ?? null;
  }

  private async diagnose(wallet: WalletRow): Promise<readonly Diagnosis[]> {
    const { findings } = await this.doctor.diagnose(wallet);
    // While no node shows the account, what was found of it before stands.
    if (findings.some(({ kind }) => kind === 'account_unread'))
      return [...findings, ...(this.last.get(wallet.id) ?? [])];
    this.last.set(wallet.id, findings);
    return findings;
  }
}
