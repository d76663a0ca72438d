import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock';
import { SUN_PER_TRX } from '../../../common/money/sun';
import type { AccountView } from '../../tron/node/account-view';
import { ChainReads } from '../../tron/node/chain-reads';
import { ConfiguredNodes } from '../../tron/node/configured-nodes';
import type { Unfreezing } from '../../tron/node/unfreezing';
import type { WalletRow } from './wallet-row';

/** For so long the other nodes are asked whether next to nothing is left. */
const CONFIRM_MS = 2_000;
/** The network lends no less. */
const LEAST_SUN = SUN_PER_TRX;

/** What a node shows of a wallet in its solid view. */
export interface ShownWallet {
  /** Never more than the wallet's own stake that is not lent. */
  readonly delegableSun: bigint;
  readonly stakeSun: bigint;
  readonly balanceSun: bigint;
  readonly unfreezing: readonly Unfreezing[];
  /** As the first node shows the account, whose blocks the reading is between. */
  readonly account: AccountView;
}
type Shown = ShownWallet & { readonly unlentSun: bigint };

/**
 * How much a wallet could lend, and its TRX. One node alone is not believed that little is left while another answers: with a single wallet
 * every order would be refused. If a node shows too much, the network refuses orders, which costs no user anything.
 */
@Injectable()
export class WalletStake {
  constructor(
    private readonly reads: ChainReads,
    private readonly nodes: ConfiguredNodes,
    private readonly clock: Clock,
  ) {}

  /**
   * What this node shows. `solidBlock`: the block in its solid view before the reading, as of which the reading counts. Another node's view
   * counts only if it is at least as new, for an older one would still show stake that orders have been lent since.
   * @throws NodeUnavailableError
   */
  async read(wallet: WalletRow, url: string, solidBlock: number): Promise<ShownWallet> {
    const first = await this.shown(wallet, url);
    if (!isDoubtful(first, wallet)) return first;
    const shown = [first];
    const others = this.nodes.reachable('walletsolidity').filter((other) => other !== url);
    const asked = others.map(async (other) => {
      const isOlder = (await this.reads.solidHead(other)).number < solidBlock;
      if (!isOlder) shown.push(await this.shown(wallet, other));
    });
    // What comes later is left for the next reading; one that does not answer says nothing.
    if (asked.length > 0) await this.clock.waitAtMost(CONFIRM_MS, Promise.allSettled(asked));
    const most = shown.reduce((found, one) => (showsMore(one, found) ? one : found));
    return { ...most, account: first.account };
  }

  private async shown({ address, role }: WalletRow, url: string): Promise<Shown> {
    const [maximumSun, balances] = await Promise.all([
      role === 'delegate' ? this.reads.delegableSun(address, url) : 0n,
      this.reads.balances(address, url),
    ]);
    const { unlentSun } = balances;
    return { ...balances, delegableSun: maximumSun < unlentSun ? maximumSun : unlentSun };
  }
}

/** Next to nothing is left, or much less than there was at the last reading. */
function isDoubtful({ delegableSun, stakeSun, balanceSun, unlentSun }: Shown, wallet: WalletRow): boolean {
  const isLess = 2n * stakeSun < wallet.stake_sun || 2n * balanceSun < wallet.balance_sun;
  const lendsLittle = wallet.role === 'delegate' && (delegableSun < LEAST_SUN || 2n * delegableSun < unlentSun);
  return isLess || balanceSun === 0n || lendsLittle;
}

function showsMore(one: ShownWallet, other: ShownWallet): boolean {
  if (one.delegableSun !== other.delegableSun) return one.delegableSun > other.delegableSun;
  return one.balanceSun > other.balanceSun;
}
