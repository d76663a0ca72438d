import { keys } from '../../../local-chain/src/state/world.state';
import type { Account } from '../../../local-chain/src/state/account.model';
import type { StateChange } from '../../../local-chain/src/chain/chain.node';
import { toHexAddress } from '../../../src/chain/tron/addresses';
import { SUN_PER_TRX } from '../../../src/common/money/sun';
import type { ChainWallet, SimChain } from '../network/sim-chain';
import type { Instance } from '../service/instance';
import type { Action } from './plan';
import type { Setting } from './setup';
import type { StakeTruth } from './stake-truth';
import type { Tally } from './tally';

const KINDS = ['reward', 'stake-operation', 'by-hand'] as const;
type Of<Kind extends Action['kind']> = Extract<Action, { kind: Kind }>;
export type StakeAction = Of<(typeof KINDS)[number]>;

export function isOfStake(action: Action): action is StakeAction {
  return (KINDS as readonly string[]).includes(action.kind);
}

/** What becomes of stakes beside their care: rewards come, operators ask the service, owners act by hand. */
export class StakeActs {
  constructor(
    private readonly chain: SimChain,
    private readonly truth: StakeTruth,
    private readonly instance: (number: number) => Instance | null,
    private readonly tally: Tally,
  ) {}

  async carryOut(action: StakeAction, setting: Setting): Promise<void> {
    const wallet = setting.wallets[action.wallet]!;
    this.tally.add(action.kind === 'reward' ? 'reward' : `${action.kind}, ${action.does}`);
    if (action.kind === 'reward') return addReward(this.chain, wallet.address, action.trx);
    if (action.kind === 'stake-operation') return this.operate(action, wallet);
    await this.byHand(action, wallet, setting);
  }

  private operate({ instance, wallet, does, resource, part }: Of<'stake-operation'>, { address }: ChainWallet): void {
    const { balanceSun, energy } = this.truth.account(address);
    // Mostly nearly all TRX.
    const amountSun = does === 'freeze' ? partOf(balanceSun, 1 - (1 - part) ** 3) : partOf(energy.frozenSun, part);
    this.instance(instance)?.operate({ name: `wallet ${wallet}`, kind: does, resource, amountSun });
  }

  private async byHand({ does, part }: Of<'by-hand'>, wallet: ChainWallet, { witnesses }: Setting): Promise<void> {
    const { balanceSun, energy } = this.truth.account(wallet.address);
    const votes = [
      {
        vote_address: witnesses[Math.floor(part * witnesses.length)],
        vote_count: Number(partOf(this.truth.power(wallet.address) * SUN_PER_TRX, part) / SUN_PER_TRX),
      },
    ];
    // The owner leaves what reclaims take.
    const sun = Number(partOf(does === 'freeze' ? balanceSun / 2n : energy.frozenSun, part));
    const [route, message] = {
      vote: ['votewitnessaccount', { votes }] as const,
      claim: ['withdrawbalance', {}] as const,
      withdraw: ['withdrawexpireunfreeze', {}] as const,
      freeze: ['freezebalancev2', { frozen_balance: sun, resource: 'ENERGY' }] as const,
      unfreeze: ['unfreezebalancev2', { unfreeze_balance: sun, resource: 'ENERGY' }] as const,
    }[does];
    const txId = await this.chain.sign(route, wallet, message);
    // An unfreezing may be a thief's; the service only notes the others.
    if (txId !== null) (does === 'unfreeze' ? this.chain.foreignTxIds : this.chain.handTxIds).set(txId, wallet.address);
  }
}

/** As though it had been collected. */
export function addReward(chain: SimChain, address: string, trx: number): void {
  const change = (before?: Account): Account => ({
    ...before!,
    allowanceSun: (before!.allowanceSun ?? 0n) + BigInt(trx) * SUN_PER_TRX,
  });
  chain.node.amend(new Map([[keys.account(toHexAddress(address)), change as StateChange]]));
}

/** Whole TRX, in sun. */
function partOf(sun: bigint, part: number): bigint {
  const taken = (sun * BigInt(Math.round(part * 1_000))) / 1_000n;
  return taken - (taken % SUN_PER_TRX);
}
