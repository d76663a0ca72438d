import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { ENERGY_PER_TRANSACTION } from '../../billing/energy-amount';
import { largestEnergy, stakeForEnergyCeil } from '../../chain/tron/energy';
import { ReferenceBlocks } from '../../chain/verified-chain/reference-blocks';
import { SigningKeyError } from '../../chain/transactions/signing/signing-keys';
import { Switches, type SwitchView } from '../../chain/pool/switches/switches';
import { Capacity } from '../../chain/pool/wallets/capacity';
import { ChooseWallet, PoolUnreadError } from '../../chain/pool/wallets/choose-wallet';
import { canActivateOneMore, canPayOneMore, lendableSun } from '../../chain/pool/wallets/fees';
import { PoolWallets } from '../../chain/pool/wallets/pool-wallets';
import { Reservations } from '../../chain/pool/wallets/reservations';
import { freeSun, type ListedWalletRow, type WalletRow } from '../../chain/pool/wallets/wallet-row';
import type { ServiceError } from '../../common/errors/service.error';
import { SUN_PER_TRX } from '../../common/money/sun';
import type { WalletFault } from '../../common/wallet-causes';
import type { OrderRefusal, WhyRefused } from '../../common/why-refused';
import { DatabaseIdentity } from '../../database/identity/database-identity';

/** The wallets are read every five minutes, whether there are orders or not. */
const LATELY_MS = 7 * 60_000;

export interface OrderOutlookView {
  /** What an order of one transaction is answered with now; null when a wallet takes it. */
  readonly refusal: OrderRefusal | null;
  /** Energy of the largest order that a wallet takes; null while the chain's rate is not known. */
  readonly largestEnergy: bigint | null;
  /** Active wallets that could take no order of one transaction, or pay for no activation, by id. */
  readonly faults: ReadonlyMap<string, WalletFault>;
  /** A receiver that does not exist yet could be activated. */
  readonly activates: boolean;
  /** The switches for all orders and for all reclaims. */
  readonly switch: SwitchView;
  readonly reclaims: SwitchView;
  readonly wallets: readonly ListedWalletRow[];
}

/** What a caller gets now and why: the choice of a wallet itself is asked, and the rows that it chooses by say what is wanting. */
@Injectable()
export class OrderOutlook {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly capacity: Capacity,
    private readonly chooseWallet: ChooseWallet,
    private readonly reservations: Reservations,
    private readonly pool: PoolWallets,
    private readonly switches: Switches,
    private readonly identity: DatabaseIdentity,
    private readonly referenceBlocks: ReferenceBlocks,
  ) {}

  /** `nodeAnswers`: whether the chain could be read just now, where that was tried. Without it no order gets as far as a wallet. */
  async now(nodeAnswers?: boolean): Promise<OrderOutlookView> {
    const { rate } = this.capacity;
    const stakeSun = rate ? this.stakeOfOne() : SUN_PER_TRX;
    const [wallets, orders, reclaims, differs, error] = await Promise.all([
      this.pool.list(),
      this.switches.read('orders'),
      this.switches.read('reclaims'),
      this.identity.findDifference(),
      this.refusalOf(stakeSun),
    ]);
    const active = wallets.filter(({ state }) => state === 'active');
    const faults = new Map(
      active.flatMap((wallet) => {
        const fault = this.faultOf(wallet, stakeSun);
        return fault ? [[wallet.id, fault] as const] : [];
      }),
    );
    const able = active.filter(({ id, role }) => role === 'delegate' && !faults.has(id));
    const largestSun = able.reduce((most, wallet) => (lendableSun(wallet) > most ? lendableSun(wallet) : most), 0n);
    return {
      refusal:
        this.referenceBlocks.orderProblem() === null && (nodeAnswers ?? wereReadLately(wallets))
          ? error && { code: error.code, why: differs ? 'restored' : whyRefused(error, wallets, orders, stakeSun) }
          : { code: 'NODE_UNAVAILABLE', why: 'node' },
      largestEnergy: rate && largestEnergy(largestSun, rate, this.configuration.delegation.energyMarginPpm),
      faults,
      activates: active.some(({ id, role }) => role === 'activate' && !faults.has(id)),
      switch: orders,
      reclaims,
      wallets,
    };
  }

  /** As an order does, what is reserved is counted once more before the stake counts as wanting. */
  private async refusalOf(stakeSun: bigint): Promise<ServiceError | null> {
    const refusal = await this.chooseWallet.refusalOf(stakeSun);
    if (refusal?.code !== 'INSUFFICIENT_ENERGY' && !(refusal instanceof PoolUnreadError)) return refusal;
    await this.reservations.freeUnpromised(stakeSun);
    return this.chooseWallet.refusalOf(stakeSun);
  }

  private faultOf(wallet: WalletRow, stakeSun: bigint): WalletFault | null {
    const unusable = this.chooseWallet.whyUnusable(wallet);
    if (unusable) return unusable;
    if (wallet.rests) return 'rests';
    if (wallet.role === 'activate') return canActivateOneMore(wallet) ? null : 'fees';
    if (freeSun(wallet) < stakeSun) return 'stake';
    return canPayOneMore(wallet) ? null : 'fees';
  }

  private stakeOfOne(): bigint {
    return stakeForEnergyCeil(
      ENERGY_PER_TRANSACTION,
      this.capacity.rate!,
      this.configuration.delegation.energyMarginPpm,
    );
  }
}

/** No wallet that was ever read says nothing of the node. */
function wereReadLately(wallets: readonly ListedWalletRow[]): boolean {
  const agos = wallets.flatMap(({ state, read_ms_ago: ago }) => (state === 'active' && ago !== null ? [ago] : []));
  return agos.length === 0 || Math.min(...agos) < LATELY_MS;
}

function whyRefused(
  error: ServiceError,
  wallets: readonly WalletRow[],
  { paused }: SwitchView,
  stakeSun: bigint,
): WhyRefused {
  if (paused) return 'switch';
  if (error instanceof SigningKeyError) return error.code === 'SIGNER_UNAVAILABLE' ? 'signer' : 'key';
  const delegating = wallets.filter(({ role }) => role === 'delegate');
  if (delegating.length === 0) return 'noWallet';
  const active = delegating.filter(({ state }) => state === 'active');
  if (active.length === 0) return 'noneActive';
  if (error instanceof PoolUnreadError) return 'unread';
  const staked = active.filter((wallet) => freeSun(wallet) >= stakeSun);
  if (staked.length === 0) return 'stake';
  const paying = staked.filter(canPayOneMore);
  if (paying.length === 0) return 'fees';
  return paying.every((wallet) => wallet.rests) ? 'rests' : 'other';
}
