import { randomBytes } from 'node:crypto';
import {
  type GenesisAccount,
  genesisAccounts,
  NETWORK_ENERGY_TRX,
  NETWORK_NET_TRX,
  POOL_NET_TRX,
} from '../genesis.accounts';
import { TRANSFER } from '../protobuf/contract.schema';
import { CONTRACT, RAW, TRANSACTION, type TransactionMessage } from '../protobuf/transaction.schema';
import { empty, encode } from '../protobuf/wire.codec';
import { merkleRoot } from '../signing/merkle.tree';
import { newAccount, type Account } from '../state/account.model';
import type { Network } from '../state/network.model';
import { keys } from '../state/world.state';
import { contractState } from '../token/program.table';
import { blockOf, type Block } from './block.model';
import { ChainTransaction } from './transaction.model';
import type { IncludedTransaction } from './transaction.receipt';

const NOBODY = Buffer.from('0x000000000000000000000', 'latin1');
const WITNESS_TEXT = Buffer.from(
  'A new system must allow existing systems to be linked together without requiring any central control or coordination',
);

/** An unsigned transfer from an address without a key for each account, as java-tron's genesis has. */
function endowment(to: Buffer, amount: bigint): TransactionMessage {
  const value = encode(TRANSFER, { owner_address: NOBODY, to_address: to, amount });
  const parameter = { type_url: 'type.googleapis.com/protocol.TransferContract', value };
  const contract = { ...empty(CONTRACT), type: 1, parameter };
  return { raw_data: { ...empty(RAW), contract: [contract] }, signature: [] };
}

export interface Genesis {
  block: Block;
  transactions: IncludedTransaction[];
  state: Map<string, unknown>;
}

/**
 * Block 0. Its parent hash is drawn anew for every fresh state: two local chains are two networks, and a service that remembers the genesis
 * id notices that it talks to another one.
 */
export function createGenesis(bandwidthStakeTrx = POOL_NET_TRX): Genesis {
  const accounts = genesisAccounts(BigInt(bandwidthStakeTrx));
  const transactions = accounts.map((it, position) => {
    const bytes = encode(TRANSACTION, endowment(it.address, it.balanceSun));
    const receipt = { feeSun: 0n, netUsed: 0n, netFeeSun: 0n };
    return { id: ChainTransaction.parse(bytes).id, height: 0, position, bytes, receipt };
  });
  const header = {
    timestamp: 0n,
    txTrieRoot: merkleRoot(transactions.map(({ bytes }) => bytes)),
    parentHash: randomBytes(32),
    number: 0n,
    witness_address: WITNESS_TEXT,
    version: 0,
  };
  return { block: blockOf(header, () => Buffer.alloc(0)), transactions, state: genesisState(accounts) };
}

function genesisState(accounts: readonly GenesisAccount[]): Map<string, unknown> {
  const network: Network = {
    totalNetWeightTrx: NETWORK_NET_TRX,
    totalEnergyWeightTrx: NETWORK_ENERGY_TRX,
    publicNet: { used: 0n, slot: 0 },
    burnedSun: 0n,
  };
  const state = new Map<string, unknown>([[keys.network, network]]);
  for (const it of accounts) {
    const account: Account = newAccount(it.address.toString('hex'), 0);
    account.balanceSun = it.balanceSun;
    account.energy.frozenSun = it.stakedEnergySun;
    account.net.frozenSun = it.stakedNetSun;
    state.set(keys.account(account.address), account);
  }
  for (const [key, value] of contractState()) state.set(key, value);
  return state;
}
