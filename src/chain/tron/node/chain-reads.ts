import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock';
import { toBase58Address, toHexAddress } from '../addresses';
import type { DelegatedStake } from './delegated-stake';
import type { EnergyRate } from '../energy';
import { type AccountView, readAccountView } from './account-view';
import { amountIn, notUnderstood, recordsIn, requireAddress, textsIn } from './answer.reader';
import { readSaid } from './block-answer';
import type { SaidBlock } from '../../proof/block-header';
import { readUnfreezing, type Unfreezing } from './unfreezing';
import { callBody, type CallResult, type ContractCall, readCallResult } from './constant-call';
import { ConfiguredNodes } from './configured-nodes';
import { NodeClient } from './node-client';
import { type NodeKind, READ_TIMEOUT_MS } from './node-pool';
import { judgeReceiver, readReceiverState, type ReceiverState } from './receiver-state';
import { NodeStanding } from './node-standing';

export type { ReceiverState } from './receiver-state';

export interface WalletResources {
  readonly rate: EnergyRate;
  /** Bytes left, staked and free together. */
  readonly bandwidth: bigint;
  /** The free points among them: no transaction is paid from both kinds. */
  readonly freeBandwidth: bigint;
  /** What it has used of its energy and has not recovered yet, also of stake that it has unfrozen since. */
  readonly usedEnergy: bigint;
}

export interface WalletBalances {
  /** A node shows nothing of an account that does not exist. */
  readonly exists: boolean;
  readonly balanceSun: bigint;
  /** Staked for energy, lent out or not. */
  readonly stakeSun: bigint;
  /** The part of it that is not lent: no more can be delegated. */
  readonly unlentSun: bigint;
  readonly unfreezing: readonly Unfreezing[];
  /** All of the same answer. */
  readonly account: AccountView;
}

/** The latest time that a Date can hold. */
const LATEST_TIME_MS = 8_640_000_000_000_000;

/** What the service reads from the chain, in its own types. Every method throws NodeUnavailableError. */
@Injectable()
export class ChainReads {
  constructor(
    private readonly client: NodeClient,
    private readonly nodes: ConfiguredNodes,
    private readonly standing: NodeStanding,
    private readonly clock: Clock,
  ) {}

  /** The nodes that show the solid chain, in the order in which they are used, without those that are behind. */
  get solidUrls(): string[] {
    return this.nodes.urls('walletsolidity');
  }

  /** All that are configured. */
  get allSolidUrls(): string[] {
    return this.nodes.allUrls('walletsolidity');
  }

  /** The newest block that a node, or the one given, has as solid. Its own word: to tell which block its other answers are of. */
  async solidHead(only?: string): Promise<SaidBlock> {
    const read = (json: Record<string, unknown>, url: string) => {
      const solid = readSaid(json);
      this.standing.solidOf(url, solid);
      return solid;
    };
    return this.client.ask('walletsolidity', 'getblock', { detail: false }, read, READ_TIMEOUT_MS, only);
  }

  /** @throws NodeUnavailableError when a node in use belongs to another chain by now */
  async verify(): Promise<void> {
    await this.borneOut([this.nodes.verify('wallet'), this.nodes.verify('walletsolidity')]);
  }

  /** As `verify`, of these nodes, each of which has to answer. @throws NodeUnavailableError */
  async verifySolid(urls: readonly string[]): Promise<void> {
    await this.borneOut(urls.map((url) => this.nodes.verifyNode('walletsolidity', url)));
  }

  private async borneOut(verifying: readonly Promise<void>[]): Promise<void> {
    const failed = (await Promise.allSettled(verifying)).find((check) => check.status === 'rejected');
    if (!failed) return;
    // One URL may serve both kinds, so a node replaced under one kind is checked again under both.
    this.nodes.invalidate('wallet');
    this.nodes.invalidate('walletsolidity');
    throw failed.reason;
  }

  /** In this node's solid view. */
  async solidState(address: string, url: string): Promise<ReceiverState> {
    const hexAddress = toHexAddress(address);
    const read = (found: Record<string, unknown>) => readReceiverState(found, hexAddress);
    return this.client.ask('walletsolidity', 'getaccount', { address: hexAddress }, read, READ_TIMEOUT_MS, url);
  }

  /**
   * Anything but `active` is never a single node's word alone where there are others that answer (receiver-state.ts): one that lags or lies
   * would have an activation paid for an account that exists, or refuse an order for good. One that shows an account that is none cannot
   * have energy lent to it: the network refuses that.
   */
  async receiverState(address: string): Promise<ReceiverState> {
    const hexAddress = toHexAddress(address);
    const read = (kind: NodeKind, only?: string) =>
      this.askNamed(kind, 'getaccount', { address: hexAddress }, (found) => readReceiverState(found, hexAddress), only);
    const first = await read('wallet');
    if (first.value === 'active') return 'active';
    const [heads, solids] = await Promise.all([
      this.askOthers('wallet', first.url, (url) => read('wallet', url)),
      this.askOthers('walletsolidity', null, (url) => read('walletsolidity', url)),
    ]);
    // None of those answers: then the one that does.
    if (solids.length === 0) solids.push((await read('walletsolidity')).value);
    return judgeReceiver([first.value, ...heads], solids);
  }

  /** As each node shows them that knows the account: no single one has it missing. */
  async resources(address: string): Promise<WalletResources[]> {
    const read = (url?: string) => this.readResources(address, url);
    const first = await read();
    const others = await this.askOthers('wallet', first.url, read);
    return [first.value, ...others].filter((one) => one !== null);
  }

  /** Null for an account that this node does not know. */
  async resourcesAt(url: string, address: string): Promise<WalletResources | null> {
    return (await this.readResources(address, url)).value;
  }

  private readResources(address: string, url?: string) {
    return this.askNamed('wallet', 'getaccountresource', { address: toHexAddress(address) }, readResources, url);
  }

  /**
   * Units that an account could use now, lent ones among them; none for an account that does not exist. Below 0 where more was used than
   * the limit is now, for example because stake was taken away since.
   */
  async energyLeft(address: string): Promise<bigint> {
    return this.client.ask('wallet', 'getaccountresource', { address: toHexAddress(address) }, readEnergyLeft);
  }

  /** The id of the newest block, by which readings of the same state are told: a node's word, from which nothing is concluded. */
  async headId(): Promise<string> {
    return this.client.ask('wallet', 'getblock', { detail: false }, ({ blockID: id }) => {
      if (typeof id !== 'string' || id === '') throw notUnderstood('blockID');
      return id;
    });
  }

  /** Sun burned for a unit of energy that an account does not have. */
  async energyPriceSun(): Promise<bigint> {
    return this.client.ask('wallet', 'getchainparameters', {}, (found) => {
      const parameter = recordsIn(found, 'chainParameter').find(({ key }) => key === 'getEnergyFee');
      const priceSun = amountIn(parameter ?? {}, 'value');
      if (priceSun === 0n) throw notUnderstood('getEnergyFee');
      return priceSun;
    });
  }

  /** What a call of a contract would come to now; null when no node runs such calls. */
  async constantCall(call: ContractCall): Promise<CallResult | null> {
    return this.client.consult('wallet', 'triggerconstantcontract', callBody(call), readCallResult);
  }

  /** In this node's solid view. */
  async balances(address: string, url: string): Promise<WalletBalances> {
    const hexAddress = toHexAddress(address);
    const read = (account: Record<string, unknown>) => {
      const exists = Object.keys(account).length > 0;
      if (exists) requireAddress(account, 'address', hexAddress);
      const view = readAccountView(account);
      const { balanceSun, energySun: unlentSun, lentEnergySun } = view;
      const unfreezing = readUnfreezing(account);
      return { exists, balanceSun, stakeSun: unlentSun + lentEnergySun, unlentSun, unfreezing, account: view };
    };
    return this.client.ask('walletsolidity', 'getaccount', { address: hexAddress }, read, READ_TIMEOUT_MS, url);
  }

  /** What the wallet could delegate in this node's solid view, in sun. */
  async delegableSun(address: string, url: string): Promise<bigint> {
    const body = { owner_address: toHexAddress(address), type: 1 };
    const route = 'getcandelegatedmaxsize';
    return this.client.ask('walletsolidity', route, body, readMaximum, READ_TIMEOUT_MS, url);
  }

  /** The receivers of the wallet's delegations in the solid chain, base58check. */
  async receiversOf(address: string): Promise<string[]> {
    const body = { value: toHexAddress(address) };
    return this.client.ask('walletsolidity', 'getdelegatedresourceaccountindexv2', body, (index) => {
      requireAddress(index, 'account', body.value);
      const receivers = textsIn(index, 'toAccounts');
      if (!receivers.every((receiver) => /^41[0-9a-f]{40}$/i.test(receiver))) throw notUnderstood('toAccounts');
      return receivers.map(toBase58Address);
    });
  }

  /** The energy stake delegated from one address to another in the solid chain, as a node, or the one given, shows it. */
  async delegatedStake(from: string, to: string, only?: string): Promise<DelegatedStake> {
    const body = { fromAddress: toHexAddress(from), toAddress: toHexAddress(to) };
    const route = 'getdelegatedresourcev2';
    const read = (found: Record<string, unknown>) => readDelegatedStake(found, body.fromAddress, body.toAddress);
    return this.client.ask('walletsolidity', route, body, read, READ_TIMEOUT_MS, only);
  }

  /** With the node that answered. */
  private async askNamed<T>(
    kind: NodeKind,
    route: string,
    body: Record<string, unknown>,
    read: (found: Record<string, unknown>) => T,
    only?: string,
  ): Promise<{ readonly value: T; readonly url: string }> {
    const named = (found: Record<string, unknown>, url: string) => ({ value: read(found), url });
    return this.client.ask(kind, route, body, named, READ_TIMEOUT_MS, only);
  }

  /**
   * What the nodes but for one say that do not rest after a failure, are not behind and take calls: one that has used up its quota would
   * else keep everybody waiting. One that has failed and rests no more is asked, for nothing else may ask it soon, and the first one's word
   * would be the only one. Those that do not answer in time say nothing.
   */
  private async askOthers<T>(
    kind: NodeKind,
    asked: string | null,
    read: (url: string) => Promise<{ readonly value: T }>,
  ): Promise<T[]> {
    const said: T[] = [];
    const others = this.nodes.reachable(kind).filter((url) => url !== asked);
    const asking = others.map(async (url) => said.push((await read(url)).value));
    if (asking.length > 0) await this.clock.waitAtMost(READ_TIMEOUT_MS, Promise.allSettled(asking));
    // What comes later changes nothing that was concluded.
    return [...said];
  }
}

function readEnergyLeft(found: Record<string, unknown>): bigint {
  return amountIn(found, 'EnergyLimit') - amountIn(found, 'EnergyUsed');
}

function readResources(found: Record<string, unknown>): WalletResources | null {
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
  const bandwidth = left('NetLimit', 'NetUsed') + freeBandwidth;
  return { rate, bandwidth, freeBandwidth, usedEnergy: amountIn(found, 'EnergyUsed') };
}

function readMaximum(found: Record<string, unknown>): bigint {
  return amountIn(found, 'max_size');
}

function readDelegatedStake(found: Record<string, unknown>, from: string, to: string): DelegatedStake {
  let [unlockedSun, lockedSun, lockedUntilMs] = [0n, 0n, 0];
  for (const record of recordsIn(found, 'delegatedResource')) {
    requireAddress(record, 'from', from);
    requireAddress(record, 'to', to);
    const sun = amountIn(record, 'frozen_balance_for_energy');
    const untilMs = Number(amountIn(record, 'expire_time_for_energy'));
    if (untilMs > LATEST_TIME_MS) throw notUnderstood('expire_time_for_energy');
    if (untilMs === 0) unlockedSun += sun;
    else if (sun > 0n) [lockedSun, lockedUntilMs] = [lockedSun + sun, Math.max(lockedUntilMs, untilMs)];
  }
  return { unlockedSun, lockedSun, lockedUntilMs };
}
