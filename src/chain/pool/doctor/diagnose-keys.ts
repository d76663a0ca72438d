import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../../config/configuration';
import { NodeClient } from '../../tron/node/node-client';
import { NodeUnavailableError } from '../../tron/node/node-errors';
import { TransactionKinds } from '../../transactions/kinds/transaction-kinds';
import { holdsKey, signerKeyId } from '../../transactions/signing/key-source';
import { SigningKeyError, SigningKeys } from '../../transactions/signing/signing-keys';
import { PoolWallets } from '../wallets/pool-wallets';
import { type KeyedWallet, keyOwner, type WalletRow } from '../wallets/wallet-row';
import { askAccount } from './ask-account';
import type { Diagnosis } from './diagnosis';
import { findMissing, findPower } from './key-findings';

const POOL_EMPTY: Diagnosis = {
  kind: 'pool_empty',
  subject: 'pool',
  reason: 'no wallet has the role delegate',
  next_step: 'Add one: pool:add --role delegate.',
};

const ASK_SIGNER =
  'Start the signer, and read what its log says about the key. SIGNER_URL has its socket or address, and its configuration has its keys.';

/** What was found of one wallet, and of which key. */
export interface KeyDiagnosis {
  readonly wallet: KeyedWallet;
  /** Null: the key cannot be read, or is another account's. */
  readonly keyAddress: string | null;
  readonly findings: readonly Diagnosis[];
}

/** Whether each wallet's key may sign what the service needs, and nothing else. */
@Injectable()
export class DiagnoseKeys {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly poolWallets: PoolWallets,
    private readonly keys: SigningKeys,
    private readonly kinds: TransactionKinds,
    private readonly nodes: NodeClient,
  ) {}

  async run(): Promise<Diagnosis[]> {
    const wallets = await this.poolWallets.list();
    const found = isEmpty(wallets) ? [POOL_EMPTY] : [];
    for (const wallet of wallets) found.push(...(await this.diagnose(wallet)).findings);
    return found;
  }

  /** Findings about one wallet; when it is gone, whether it was the last one that delegates. */
  async runFor(name: string): Promise<Diagnosis[]> {
    const wallets = await this.poolWallets.list();
    const wallet = wallets.find((other) => other.name === name);
    if (wallet) return [...(await this.diagnose(wallet)).findings];
    return isEmpty(wallets) ? [POOL_EMPTY] : [];
  }

  /** An account that cannot be read is a finding of its own. */
  async diagnose(wallet: KeyedWallet): Promise<KeyDiagnosis> {
    const finding = (kind: string, reason: string, next_step: string) => [
      { kind, subject: wallet.name, reason, next_step },
    ];
    let keyAddress: string;
    try {
      await this.keys.look(keyOwner(wallet));
      keyAddress = this.keys.keyAddress(keyOwner(wallet));
    } catch (error) {
      if (!(error instanceof SigningKeyError)) throw error;
      if (error.code === 'SIGNER_UNAVAILABLE')
        return { wallet, keyAddress: null, findings: finding('signer_unavailable', error.message, ASK_SIGNER) };
      return { wallet, keyAddress: null, findings: finding('wrong_key', error.message, rightPlace(wallet)) };
    }
    try {
      return { wallet, keyAddress, findings: await this.judge(wallet, keyAddress) };
    } catch (error) {
      if (!(error instanceof NodeUnavailableError)) throw error;
      const next_step = 'Check the nodes (doctor), and that they know the account.';
      return { wallet, keyAddress, findings: finding('account_unread', error.message, next_step) };
    }
  }

  private async judge(wallet: KeyedWallet, keyAddress: string): Promise<Diagnosis[]> {
    const account = await askAccount(this.nodes, wallet.address);
    if (account === null) {
      return [
        {
          kind: 'no_account',
          subject: wallet.name,
          reason: `${wallet.address} does not exist on this chain`,
          next_step: 'Check the address and the network, or activate the account.',
        },
      ];
    }
    const needed = this.kinds.operationsOf(wallet.role);
    const allowed = this.kinds.optionalOperationsOf(wallet.role);
    const judged = { wallet, keyAddress, needed, allowed, account };
    return [...findMissing(judged), ...findPower(judged, this.configuration.localChain.enabled)];
  }
}

function isEmpty(wallets: readonly WalletRow[]): boolean {
  return !wallets.some(({ role }) => role === 'delegate');
}

function rightPlace({ key_source: source, role }: KeyedWallet): string {
  return holdsKey(source)
    ? `Its row, its backups and the log may hold the key itself: replace that key on the chain, and give the place of the new one (${role === 'care' ? 'stake:care' : 'pool:update'}).`
    : signerKeyId(source) === null
      ? `Put the right key at ${source}, readable for the service.`
      : 'Name the id of this wallet’s own key in the signer, or the permission that the key belongs to.';
}
