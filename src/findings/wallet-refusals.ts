import { Injectable, Logger } from '@nestjs/common';
import { refusedForWallet, type Refusal } from '../chain/tron/node/broadcast-outcome';
import type { TransactionKind } from '../chain/transactions/kinds/transaction-kind';
import { WalletRests } from '../chain/pool/wallets/wallet-rests';
import type { WalletRow } from '../chain/pool/wallets/wallet-row';
import { inEnglish } from './finding-text';
import { FindingRepository } from './finding.repository';
import { walletRefused } from './wallet-refused';

/** What a node said when it refused, as it stands in the log, on the order and in its history. */
export function refusalText({ code, message }: { readonly code: string; readonly message: string }): string {
  return `${code}: ${message}`;
}

/** A wallet whose transaction is refused for its own fault rests, and is a finding until it works again. */
@Injectable()
export class WalletRefusals {
  private readonly logger = new Logger(WalletRefusals.name);

  constructor(
    private readonly rests: WalletRests,
    private readonly findings: FindingRepository,
  ) {}

  /**
   * Without a refusal that no single one of several nodes can have brought about (`Sent.confirmed`) no wallet rests: a node that lies would
   * take it from all instances. Never throws: an order is answered whether its wallet rests or not.
   */
  async note(
    wallet: WalletRow,
    { name: purpose }: TransactionKind,
    txid: string,
    confirmed: Refusal | null,
  ): Promise<void> {
    if (!confirmed || !refusedForWallet(confirmed, wallet.address)) return;
    try {
      const resting = await this.rests.begin(wallet, { purpose, txid, reason: refusalText(confirmed) });
      if (!resting) return;
      const finding = walletRefused(resting);
      this.logger.error({ wallet: wallet.name, txid }, `The wallet ${wallet.name} rests: ${inEnglish(finding).reason}`);
      await this.findings.seen(finding);
    } catch (error) {
      this.logger.error({ wallet: wallet.name, err: error }, 'That a wallet was refused could not be noted');
    }
  }
}
