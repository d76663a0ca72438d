import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../../config/configuration';
import { CoalescedRead } from '../../../database/coalesced-read';
import { largestEnergy, stakeForEnergyCeil } from '../../tron/energy';
import { Capacity } from './capacity';
import { ChooseWallet } from './choose-wallet';
import { lendableSun } from './fees';
import { PoolWalletRepository } from './pool-wallet.repository';
import type { OpenWalletRow } from './wallet-row';

/** What a column holds: more than any wallet has. */
const MOST_STAKE_SUN = 2n ** 63n - 1n;

/** What the pool could lend to one receiver now. Reserves nothing, and promises nothing. */
@Injectable()
export class LendingOutlook {
  private readonly open: CoalescedRead<OpenWalletRow[]>;

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly wallets: PoolWalletRepository,
    private readonly chooseWallet: ChooseWallet,
    private readonly capacity: Capacity,
  ) {
    this.open = new CoalescedRead(() => this.wallets.findOpen());
  }

  /**
   * Energy of the largest order that one wallet would take; as an order does, it looks for more when `wanted` is not there.
   * @throws NodeUnavailableError also when a wallet may have it that cannot be read
   */
  async largestEnergy(receiver: string, wanted: bigint): Promise<bigint> {
    const endMs = this.capacity.waitEndMs();
    const rate = await this.capacity.rateForOrder(endMs);
    if (!rate) return 0n;
    const { energyMarginPpm } = this.configuration.delegation;
    const largest = async () => largestEnergy(await this.largestStakeSun(receiver), rate, energyMarginPpm);
    const found = await largest();
    if (found >= wanted) return found;
    const wantedSun = stakeForEnergyCeil(wanted, rate, energyMarginPpm);
    if (wantedSun > MOST_STAKE_SUN) return found;
    await this.capacity.findMore(wantedSun, endMs);
    const foundThen = await largest();
    if (foundThen < wanted) this.chooseWallet.requireRead(await this.open.get(), wantedSun);
    return foundThen;
  }

  private async largestStakeSun(receiver: string): Promise<bigint> {
    const usable = (await this.open.get()).filter((wallet) => this.chooseWallet.isUsable(wallet));
    for (const wallet of usable.toSorted((a, b) => Number(lendableSun(b) - lendableSun(a)))) {
      if (!wallet.has_closed_pairs || !(await this.wallets.isPairClosed(wallet.id, receiver)))
        return lendableSun(wallet);
    }
    return 0n;
  }
}
