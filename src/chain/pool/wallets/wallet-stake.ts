import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock';
import { leastBy } from '../../../common/least-by';
import { SUN_PER_TRX } from '../../../common/money/sun';
import type { AccountView } from '../../tron/node/account-view';
import { ChainReads, type WalletBalances } from '../../tron/node/chain-reads';
import { ConfiguredNodes } from '../../tron/node/configured-nodes';
import type { Unfreezing } from '../../tron/node/unfreezing';
import type { WalletRow } from './wallet-row';

/** For so long the other nodes are asked. */
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
type Shown = ShownWallet & Pick<WalletBalances, 'exists' | 'unlentSun'>;

/**
 * How much a wallet could lend, and its TRX. One node alone is not believed that little stake is left while another answers: with a single wallet
 * every order would be refused. If a node shows too much of it, the network refuses orders, which costs no user anything. But the network
 * takes a delegation whose reclaim the wallet cannot pay for, and its energy stays lent then: of the TRX, the least that any node shows counts.
 */
@Injectable()
export class WalletStake {
  constructor(
    private readonly reads: ChainReads,
    private readonly nodes: ConfiguredNodes,
    private readonly clock: Clock,
  ) {}

  /**
   * What this node shows, with TRX by all of them. `solidBlock`: the block in its solid view before the reading, as of which the reading counts.
   * @throws NodeUnavailableError
   */
  async read(wallet: WalletRow, url: string, solidBlock: number): Promise<ShownWallet> {
    const others = this.nodes.reachable('walletsolidity').filter((other) => other !== url);
    // An older view counts too: of TRX that were spent since, the first one shows less.
    const [first, balances] = await Promise.all([
      this.shown(wallet, url),
      this.said(others, (other) => this.reads.balances(wallet.address, other)),
    ]);
    const known = [first, ...balances].filter(({ exists }) => exists);
    const balanceSun = known.length > 0 ? leastBy(known, (one) => one.balanceSun).balanceSun : 0n;
    const most = isDoubtful(first, wallet) ? await this.most(wallet, first, others, solidBlock) : first;
    return { ...most, balanceSun, account: first.account };
  }

  /** Another node's view counts only if it is at least as new, for an older one would still show stake that orders have been lent since. */
  private async most(wallet: WalletRow, first: Shown, others: readonly string[], solidBlock: number): Promise<Shown> {
    const shown = await this.said(others, async (other) => {
      const isOlder = (await this.reads.solidHead(other)).number < solidBlock;
      return isOlder ? first : this.shown(wallet, other);
    });
    return shown.reduce((found, one) => (showsMore(one, found) ? one : found), first);
  }

  /** What comes later is left for the next reading; one that does not answer says nothing. */
  private async said<T>(urls: readonly string[], ask: (url: string) => Promise<T>): Promise<T[]> {
    const said: T[] = [];
    const asked = urls.map(async (url) => said.push(await ask(url)));
    if (asked.length > 0) await this.clock.waitAtMost(CONFIRM_MS, Promise.allSettled(asked));
    return [...said];
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
function isDoubtful({ delegableSun, stakeSun, unlentSun }: Shown, wallet: WalletRow): boolean {
  const lendsLittle = wallet.role === 'delegate' && (delegableSun < LEAST_SUN || 2n * delegableSun < unlentSun);
  return 2n * stakeSun < wallet.stake_sun || lendsLittle;
}

function showsMore(one: ShownWallet, other: ShownWallet): boolean {
  if (one.delegableSun !== other.delegableSun) return one.delegableSun > other.delegableSun;
  return one.stakeSun > other.stakeSun;
}
