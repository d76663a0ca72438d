import { createHash } from 'node:crypto';
import { TRX } from './chain/chain.parameters';
import { encodeBase58 } from './signing/address.codec';
import { addressOfKey } from './signing/secp256k1';

export interface GenesisAccount {
  role: 'pool' | 'activate' | 'rich' | 'ballast';
  address: Buffer;
  privateKey: string;
  balanceSun: bigint;
  stakedEnergySun: bigint;
  stakedNetSun: bigint;
}

export const NETWORK_ENERGY_TRX = 19_000_000_000n;
export const NETWORK_NET_TRX = 27_000_000_000n;

/** Keys that anyone can compute: worthless on every real network, and never to be funded there. */
export const worthlessKey = (name: string): string =>
  createHash('sha256').update(`worthless local-chain key: ${name}`).digest('hex');

const account = (role: GenesisAccount['role'], balanceTrx: bigint, energyTrx = 0n, netTrx = 0n): GenesisAccount => {
  const privateKey = worthlessKey(role);
  return {
    role,
    privateKey,
    address: addressOfKey(privateKey),
    balanceSun: balanceTrx * TRX,
    stakedEnergySun: energyTrx * TRX,
    stakedNetSun: netTrx * TRX,
  };
};

const POOL_ENERGY_TRX = 10_000_000n;
export const POOL_NET_TRX = 1_000_000;

/** The ballast holds what the network has staked beside the pool, so that energy for a TRX is near mainnet's. */
export const genesisAccounts = (poolNetTrx = BigInt(POOL_NET_TRX)): readonly GenesisAccount[] => [
  account('pool', 10_000n, POOL_ENERGY_TRX, poolNetTrx),
  account('activate', 10_000n),
  account('rich', 10_000_000_000n),
  account('ballast', 0n, NETWORK_ENERGY_TRX - POOL_ENERGY_TRX, NETWORK_NET_TRX - poolNetTrx),
];

export interface PublishedAccount {
  role: string;
  address: string;
  private_key: string;
  balance_sun: string;
  staked_energy_sun: string;
}

/** What the program prints of the accounts that are there to be used. */
export const publishedAccounts = (): PublishedAccount[] =>
  genesisAccounts()
    .filter(({ role }) => role !== 'ballast')
    .map((it) => ({
      role: it.role,
      address: encodeBase58(it.address),
      private_key: it.privateKey,
      balance_sun: it.balanceSun.toString(),
      staked_energy_sun: it.stakedEnergySun.toString(),
    }));
