import { Injectable } from '@nestjs/common';
import { toBase58Address, toHexAddress } from '../addresses';
import type { EnergyRate } from '../energy';
import { amountIn, notUnderstood, recordIn, recordsIn, textsIn } from './answer.reader';
import { NodeClient } from './node-client';
import { NodeUnavailableError } from './node-errors';
import { BLOCKS_TIMEOUT_MS, type NodeKind } from './node-pool';

export interface BlockHeader {
  readonly number: number;
  readonly id: string;
  readonly parentId: string;
  readonly timeMs: number;
}

export interface Block extends BlockHeader {
  readonly txIds: ReadonlySet<string>;
}

export type ReceiverState = 'inactive' | 'active' | 'contract';

export interface WalletResources {
  readonly rate: EnergyRate;
  /** Bytes left, staked and free. */
  readonly bandwidth: bigint;
}

export interface WalletBalances {
  readonly balanceSun: bigint;
  /** Staked for energy, lent out or not. */
  readonly stakeSun: bigint;
}

/** A node gives up to 100 at once, but so many full ones would outlast any time-out on a busy network. */
export const MOST_BLOCKS_A_READ = 20;

/** The reads that the service lives on, in its own terms. All of them throw NodeUnavailableError. */
@Injectable()
export class ChainReads {
  constructor(private readonly nodes: NodeClient) {}

  async head(kind: NodeKind): Promise<BlockHeader> {
    return readHeader(await this.nodes.read(kind, 'getblock', { detail: false }));
  }

  /** Blocks `from` to `to`, both included, in order; shorter when the node does not have them all. */
  async blocks(kind: NodeKind, from: number, to: number): Promise<Block[]> {
    if (from === to) {
      const single = await this.nodes.read(kind, 'getblockbynum', { num: from });
      return single['blockID'] === undefined ? [] : [readBlock(single)];
    }
    const end = Math.min(to, from + MOST_BLOCKS_A_READ - 1);
    const range = { startNum: from, endNum: end + 1 };
    const { block } = await this.nodes.read(kind, 'getblockbylimitnext', range, BLOCKS_TIMEOUT_MS);
    return Array.isArray(block) ? block.map(readBlock) : [];
  }

  /** Throws unless the nodes, their genesis blocks compared anew, still show this block at its height. */
  async confirm(kind: NodeKind, block: BlockHeader): Promise<void> {
    this.nodes.doubt(kind);
    const [shown] = await this.blocks(kind, block.number, block.number);
    if (shown?.id !== block.id) throw new NodeUnavailableError(`block ${block.number} is not the one that was read`);
  }

  /** @throws NodeUnavailableError when a node in use is of another chain by now */
  async verify(): Promise<void> {
    const checks = await Promise.allSettled([this.nodes.verify('wallet'), this.nodes.verify('walletsolidity')]);
    const failed = checks.find((check) => check.status === 'rejected');
    if (!failed) return;
    // One URL may serve both kinds: what was exchanged under one of them is not believed under the other.
    this.nodes.doubt('wallet');
    this.nodes.doubt('walletsolidity');
    throw failed.reason;
  }

  /** The nodes' genesis blocks are compared before anything else is believed. */
  doubt(kind: NodeKind): void {
    this.nodes.doubt(kind);
  }

  async receiverState(address: string): Promise<ReceiverState> {
    return this.nodes.ask('wallet', 'getaccount', { address: toHexAddress(address) }, (account) => {
      if (Object.keys(account).length === 0) return 'inactive';
      if (account['address'] === undefined) throw notUnderstood('address');
      return account['type'] === 'Contract' ? 'contract' : 'active';
    });
  }

  /** Null for an account that does not exist. */
  async resources(address: string): Promise<WalletResources | null> {
    return this.nodes.ask('wallet', 'getaccountresource', { address: toHexAddress(address) }, (found) => {
      if (Object.keys(found).length === 0) return null;
      const rate = { limit: amountIn(found, 'TotalEnergyLimit'), weight: amountIn(found, 'TotalEnergyWeight') };
      // A network in which nobody has staked lends nothing: whoever says so leaves fields out.
      if (rate.limit === 0n || rate.weight === 0n) throw notUnderstood('energy limit and weight');
      const left = (limit: string, used: string) => amountIn(found, limit) - amountIn(found, used);
      return { rate, bandwidth: left('NetLimit', 'NetUsed') + left('freeNetLimit', 'freeNetUsed') };
    });
  }

  async balances(address: string): Promise<WalletBalances> {
    return this.nodes.ask('walletsolidity', 'getaccount', { address: toHexAddress(address) }, (account) => {
      const ownSun = recordsIn(account, 'frozenV2')
        .filter((entry) => entry['type'] === 'ENERGY')
        .reduce((sum, entry) => sum + amountIn(entry, 'amount'), 0n);
      const lentSun = amountIn(recordIn(account, 'account_resource'), 'delegated_frozenV2_balance_for_energy');
      return { balanceSun: amountIn(account, 'balance'), stakeSun: ownSun + lentSun };
    });
  }

  /** What the wallet could delegate at the solid block, in sun. */
  async delegableSun(address: string): Promise<bigint> {
    const body = { owner_address: toHexAddress(address), type: 1 };
    return this.nodes.ask('walletsolidity', 'getcandelegatedmaxsize', body, (found) => amountIn(found, 'max_size'));
  }

  /** Whom the wallet lends to in the solid chain, base58check. */
  async receiversOf(address: string): Promise<string[]> {
    const body = { value: toHexAddress(address) };
    return this.nodes.ask('walletsolidity', 'getdelegatedresourceaccountindexv2', body, (index) => {
      const receivers = textsIn(index, 'toAccounts');
      if (!receivers.every((receiver) => /^41[0-9a-f]{40}$/i.test(receiver))) throw notUnderstood('toAccounts');
      return receivers.map(toBase58Address);
    });
  }

  /** The energy stake that the solid chain shows lent from one address to another, unlocked part alone. */
  async delegatedSun(from: string, to: string): Promise<bigint> {
    const body = { fromAddress: toHexAddress(from), toAddress: toHexAddress(to) };
    return this.nodes.ask('walletsolidity', 'getdelegatedresourcev2', body, (found) =>
      recordsIn(found, 'delegatedResource')
        .filter((record) => record['expire_time_for_energy'] === undefined)
        .reduce((sum, record) => sum + amountIn(record, 'frozen_balance_for_energy'), 0n),
    );
  }
}

function readHeader(json: Record<string, unknown>): BlockHeader {
  const raw = (json['block_header'] as { raw_data?: Record<string, unknown> } | undefined)?.raw_data;
  const id = json['blockID'];
  if (!raw || typeof id !== 'string') throw new NodeUnavailableError('the answer holds no block');
  // The node leaves zeros out: the genesis block has neither number nor, on some chains, a time.
  return {
    number: Number(raw['number'] ?? 0),
    id,
    parentId: String(raw['parentHash']),
    timeMs: Number(raw['timestamp'] ?? 0),
  };
}

function readBlock(json: Record<string, unknown>): Block {
  const transactions = (json['transactions'] ?? []) as { txID?: unknown }[];
  return { ...readHeader(json), txIds: new Set(transactions.map((transaction) => String(transaction.txID))) };
}
