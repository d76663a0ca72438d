import { Injectable } from '@nestjs/common';
import { type Finding, finding } from '../../findings/finding';
import { EveryKey } from '../../stake-care/every-key';

/** Wallets that the signer signs nothing for, as this instance sees it. Asks the signer nothing. */
@Injectable()
export class SignerAlarms {
  constructor(private readonly keys: EveryKey) {}

  async read(): Promise<Finding[]> {
    const faulty = (await this.keys.list()).filter(({ signerFault }) => signerFault !== null);
    return [...Map.groupBy(faulty, ({ wallet }) => wallet.id).values()].map((ofWallet) => {
      const { id, name } = ofWallet[0]!.wallet;
      const fault = ofWallet.map(({ signerFault }) => signerFault).join('; ');
      return finding('signer_unavailable', { fault }, { type: 'wallet', walletId: id, wallet: name });
    });
  }
}
