import { TronWeb } from 'tronweb';
import type { OrderWorld } from './order-world';

export type StakePurpose = 'delegation' | 'reclaim';

/** A delegation or an undelegation in a solid block. */
export interface StakeMove {
  readonly txId: string;
  readonly purpose: StakePurpose;
  readonly from: string;
  readonly to: string;
  readonly sun: bigint;
  readonly block: number;
}

/** What the chain itself says of stake, without the service. */
export interface ChainRecord {
  readonly moves: readonly StakeMove[];
  /** At the head, by `pairOf`. */
  readonly lentSun: ReadonlyMap<string, bigint>;
}

interface Contract {
  readonly type: string;
  readonly parameter: { readonly value: Record<'owner_address' | 'receiver_address' | 'balance', unknown> };
}

interface ChainState {
  readonly transactions: {
    readonly txID: string;
    readonly solid: boolean;
    readonly blockNumber: number;
    readonly transaction: { readonly raw_data: { readonly contract: readonly Contract[] } };
  }[];
  readonly delegations: { readonly from: string; readonly to: string; readonly energy_sun: string }[];
}

const PURPOSE_OF: Readonly<Record<string, StakePurpose>> = {
  DelegateResourceContract: 'delegation',
  UnDelegateResourceContract: 'reclaim',
};

export const pairOf = (from: string, to: string): string => `${from} to ${to}`;

export async function readChain({ chain }: OrderWorld): Promise<ChainRecord> {
  const state = (await (await fetch(`${chain.url}/control/state`)).json()) as ChainState;
  const base58 = base58Of();
  const moves = state.transactions.flatMap(({ txID: txId, solid, blockNumber: block, transaction }) => {
    const { type, parameter } = transaction.raw_data.contract[0]!;
    const purpose = PURPOSE_OF[type];
    if (!solid || !purpose) return [];
    const { owner_address: from, receiver_address: to, balance } = parameter.value;
    return [{ txId, purpose, from: base58(from), to: base58(to), sun: BigInt(String(balance)), block }];
  });
  const lentSun = new Map<string, bigint>();
  // Stake that is locked for a while is an entry of its own.
  for (const { from, to, energy_sun: sun } of state.delegations) {
    const pair = pairOf(base58(from), base58(to));
    lentSun.set(pair, (lentSun.get(pair) ?? 0n) + BigInt(sun));
  }
  return { moves, lentSun };
}

/** The chain prints addresses in hexadecimal. There are few different ones, and each costs two hashes. */
function base58Of(): (hex: unknown) => string {
  const known = new Map<unknown, string>();
  return (hex) => {
    const address = known.get(hex) ?? TronWeb.address.fromHex(String(hex));
    known.set(hex, address);
    return address;
  };
}
