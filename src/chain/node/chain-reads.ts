import { Injectable, Logger } from '@nestjs/common';
import { toBase58Address, toHexAddress } from '../addresses';
import type { DelegatedStake } from '../delegated-stake';
import type { EnergyRate } from '../energy';
import { amountIn, notUnderstood, recordIn, recordsIn, textsIn } from './answer.reader';
import { type Block, type BlockHeader, DoubtfulBlockError, readBlock, readHeader } from './block-answer';
import { HeaderProof } from './header-proof';
import { NodeClient } from './node-client';
import { NodeUnavailableError } from './node-errors';
import { BLOCKS_TIMEOUT_MS, type NodeKind } from './node-pool';

export type { Block, BlockHeader } from './block-answer';

export type ReceiverState = 'inactive' | 'active' | 'contract';

export interface WalletResources {
  readonly rate: EnergyRate;
  /** Bytes left, staked and free together. */
  readonly bandwidth: bigint;
  /** Of these, the free ones: no transaction is paid from both. */
  readonly freeBandwidth: bigint;
}

export interface WalletBalances {
  readonly balanceSun: bigint;
  /** Staked for energy, lent out or not. */
  readonly stakeSun: bigint;
}

/** A node gives up to 100 in one answer; on a busy network so many full blocks would take longer than any time-out. */
export const MOST_BLOCKS_A_READ = 20;

/** The latest time that a Date can hold. */
const LATEST_TIME_MS = 8_640_000_000_000_000;

/** What the service reads from the chain, in its own types. Every method throws NodeUnavailableError. */
@Injectable()
export class ChainReads {
  private readonly logger = new Logger(ChainReads.name);
  private readonly proof = new HeaderProof();
  private faulty = false;

  constructor(private readonly nodes: NodeClient) {}

  async head(kind: NodeKind): Promise<BlockHeader> {
    return this.readValid(kind, async () =>
      this.withCheckedId(await this.nodes.read(kind, 'getblock', { detail: false })),
    );
  }

  /** The header at this height, or null when the node has none. */
  async header(kind: NodeKind, number: number): Promise<BlockHeader | null> {
    return this.readValid(kind, async () => {
      const json = await this.nodes.read(kind, 'getblock', { id_or_num: String(number), detail: false });
      return json['blockID'] === undefined ? null : this.withCheckedId(json);
    });
  }

  /** Blocks `from` to `to`, both included, in order; shorter when the node does not have them all. */
  async blocks(kind: NodeKind, from: number, to: number): Promise<Block[]> {
    return this.readValid(kind, async () => {
      if (from === to) {
        const single = await this.nodes.read(kind, 'getblockbynum', { num: from });
        return single['blockID'] === undefined ? [] : [this.block(single)];
      }
      const end = Math.min(to, from + MOST_BLOCKS_A_READ - 1);
      const range = { startNum: from, endNum: end + 1 };
      const { block } = await this.nodes.read(kind, 'getblockbylimitnext', range, BLOCKS_TIMEOUT_MS);
      return Array.isArray(block) ? block.map((json: Record<string, unknown>) => this.block(json)) : [];
    });
  }

  /** Compares the genesis blocks again, and throws unless the nodes still show this block at its height. */
  async confirm(kind: NodeKind, block: BlockHeader): Promise<void> {
    this.nodes.invalidate(kind);
    const [shown] = await this.blocks(kind, block.number, block.number);
    if (shown?.id !== block.id) throw new NodeUnavailableError(`block ${block.number} is not the one that was read`);
  }

  /** @throws NodeUnavailableError when a node in use belongs to another chain by now */
  async verify(): Promise<void> {
    const checks = await Promise.allSettled([this.nodes.verify('wallet'), this.nodes.verify('walletsolidity')]);
    const failed = checks.find((check) => check.status === 'rejected');
    if (!failed) return;
    // One URL may serve both kinds, so a node replaced under one kind is checked again under both.
    this.nodes.invalidate('wallet');
    this.nodes.invalidate('walletsolidity');
    throw failed.reason;
  }

  /** Has the nodes' genesis blocks compared again before any other answer of theirs is used. */
  invalidate(kind: NodeKind): void {
    this.nodes.invalidate(kind);
  }

  /** An impossible block is read once more, from another node where there is one. @throws DoubtfulBlockError */
  private async readValid<T>(kind: NodeKind, read: () => Promise<T>): Promise<T> {
    try {
      const answer = await read();
      this.faulty = false;
      return answer;
    } catch (error) {
      if (!(error instanceof DoubtfulBlockError)) throw error;
      // Logged once per outage.
      if (!this.faulty) this.logger.error(`A node gave an impossible block (${kind}): ${error.message}`);
      this.faulty = true;
      this.nodes.invalidate(kind);
      return read();
    }
  }

  private withCheckedId(json: Record<string, unknown>): BlockHeader {
    const header = readHeader(json);
    this.proof.check(header, json);
    return header;
  }

  private block(json: Record<string, unknown>): Block {
    const block = readBlock(json);
    this.proof.check(block, json);
    return block;
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
      // Every network has staked TRX: an answer with zeros has left the fields out.
      if (rate.limit === 0n || rate.weight === 0n) throw notUnderstood('energy limit and weight');
      const left = (limit: string, used: string) => {
        const bytes = amountIn(found, limit) - amountIn(found, used);
        // More was used than the limit is now: nothing is left, but the other kind of bandwidth is not reduced.
        return bytes > 0n ? bytes : 0n;
      };
      const freeBandwidth = left('freeNetLimit', 'freeNetUsed');
      return { rate, bandwidth: left('NetLimit', 'NetUsed') + freeBandwidth, freeBandwidth };
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

  /** The receivers of the wallet's delegations in the solid chain, base58check. */
  async receiversOf(address: string): Promise<string[]> {
    const body = { value: toHexAddress(address) };
    return this.nodes.ask('walletsolidity', 'getdelegatedresourceaccountindexv2', body, (index) => {
      const receivers = textsIn(index, 'toAccounts');
      if (!receivers.every((receiver) => /^41[0-9a-f]{40}$/i.test(receiver))) throw notUnderstood('toAccounts');
      return receivers.map(toBase58Address);
    });
  }

  /** The energy stake delegated from one address to another in the solid chain. */
  async delegatedStake(from: string, to: string): Promise<DelegatedStake> {
    const body = { fromAddress: toHexAddress(from), toAddress: toHexAddress(to) };
    return this.nodes.ask('walletsolidity', 'getdelegatedresourcev2', body, readDelegatedStake);
  }
}

function readDelegatedStake(found: Record<string, unknown>): DelegatedStake {
  let [unlockedSun, lockedSun, lockedUntilMs] = [0n, 0n, 0];
  for (const record of recordsIn(found, 'delegatedResource')) {
    const sun = amountIn(record, 'frozen_balance_for_energy');
    const untilMs = Number(amountIn(record, 'expire_time_for_energy'));
    if (untilMs > LATEST_TIME_MS) throw notUnderstood('expire_time_for_energy');
    if (untilMs === 0) unlockedSun += sun;
    else if (sun > 0n) [lockedSun, lockedUntilMs] = [lockedSun + sun, Math.max(lockedUntilMs, untilMs)];
  }
  return { unlockedSun, lockedSun, lockedUntilMs };
}
