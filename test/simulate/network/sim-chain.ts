import { createHash } from 'node:crypto';
import { ChainNode } from '../../../local-chain/src/chain/chain.node';
import { CONTROL_ROUTES } from '../../../local-chain/src/control/control.routes';
import { type Fault, parseKind } from '../../../local-chain/src/control/fault.plan';
import { publishedAccounts, worthlessKey } from '../../../local-chain/src/genesis.accounts';
import { NodeEndpoint } from '../../../local-chain/src/http/node.endpoint';
import type { JsonObject } from '../../../local-chain/src/protobuf/json.printer';
import { encodeBase58 } from '../../../local-chain/src/signing/address.codec';
import { addressOfKey, sign } from '../../../local-chain/src/signing/secp256k1';
import { ChainDatabase } from '../../../local-chain/src/state/chain.database';
import type { Kernel } from '../kernel/kernel';
import { callNode } from './sim-node';

export const BLOCK_MS = 3_000;
/** Few, so that a block is final after three more. */
const WITNESSES = 5;

export interface ChainWallet {
  readonly address: string;
  readonly key: string;
}

export interface Silence {
  readonly fromMs: number;
  /** Infinity while it lasts. */
  untilMs: number;
}

/** The chain, its nodes and what happens on it beside the service's own doing. */
export class SimChain {
  readonly node = new ChainNode(new ChainDatabase(undefined), { witnesses: WITNESSES });
  readonly endpoints: NodeEndpoint[];
  /** Transactions of a stranger with a pool wallet's key, and that wallet's address. */
  readonly foreignTxIds = new Map<string, string>();
  /** Those of its owner that take nothing from orders, likewise. */
  readonly handTxIds = new Map<string, string>();
  /** Those that were asked for, with how often; what is left of each counts down. */
  private readonly faults: { readonly name: string; readonly asked: number; readonly left: Fault }[] = [];
  /** In a block of some branch, whether a fork has dropped it since or not: since when it is in the last such block. */
  readonly everIncluded = new Map<string, number>();
  /** When too few witnesses made blocks for any of them to become final. */
  readonly silences: Silence[] = [];
  private silent = 0;
  /** Out of a block, when a fork last did so. */
  readonly droppedMs = new Map<string, number>();

  constructor(
    private readonly kernel: Kernel,
    nodes: number,
  ) {
    const options = { control: false, openAnother: () => Promise.reject(new Error('not here')) };
    this.endpoints = Array.from({ length: nodes }, () => new NodeEndpoint(this.node, options));
    for (let i = 0; i < 12; i++) this.node.produceBlock();
  }

  produceBlock(): void {
    this.node.reachSlot();
    const { height, id, timestamp } = this.node.head;
    for (const included of this.node.blocks.listTransactions(height)) this.everIncluded.set(included.id, timestamp);
    this.kernel.log(`block ${height} ${id.slice(16, 32)}`);
  }

  async control(route: string, body: JsonObject): Promise<JsonObject> {
    return CONTROL_ROUTES.get(route)!(this.node, body, this.endpoints[0]!);
  }

  /** With a balance for fees, and so much stake. */
  async addWallet(number: number, stakeSun: bigint, balanceSun = 100_000_000_000n): Promise<ChainWallet> {
    const pool = publishedAccounts().find(({ role }) => role === 'pool')!;
    const key = number === 0 ? pool.private_key : worthlessKey(`simulated wallet ${number}`);
    const address = encodeBase58(addressOfKey(key));
    await this.setAccount(address, balanceSun, stakeSun);
    return { address, key };
  }

  async addReceiver(number: number, isActive: boolean): Promise<string> {
    const address = encodeBase58(addressOfKey(createHash('sha256').update(`receiver ${number}`).digest('hex')));
    if (isActive) await this.setAccount(address, 1_000_000n, 0n);
    return address;
  }

  private async setAccount(address: string, balanceSun: bigint, stakedSun: bigint): Promise<void> {
    const amounts = { balance_sun: balanceSun.toString(), staked_energy_sun: stakedSun.toString() };
    await this.control('account', { address, type: 'Normal', ...amounts });
  }

  fault(node: number, route: string, kind: string, count: number): void {
    const parsed = parseKind(kind);
    if (!parsed) throw new Error(`no such fault: ${kind}`);
    const left: Fault = { route, ...parsed, count, blocks: 3 };
    this.endpoints[node]!.faults.add(left);
    const names = route.endsWith('broadcasttransaction') ? [`broadcast ${kind}`] : [`read ${kind}`, `read ${route}`];
    for (const name of names) this.faults.push({ name, asked: count, left });
  }

  /** The faults that calls have met. */
  metFaults(): { name: string; times: number }[] {
    return this.faults.map(({ name, asked, left }) => ({ name, times: asked - left.count }));
  }

  async fork(depth: number, keep: boolean): Promise<void> {
    const from = Math.max(this.node.head.height - depth + 1, this.node.finalHeight + 1);
    if (from > this.node.head.height) return;
    const lost = Array.from({ length: this.node.head.height - from + 1 }, (_, i) =>
      this.node.blocks.listTransactions(from + i).map(({ id }) => id),
    ).flat();
    const ids = [...lost, ...this.node.pool.transactions.map(({ id }) => id)];
    const kept = ids.filter(() => keep || this.kernel.schedule.chance(0.3));
    this.node.fork(from, new Set(kept));
    for (const id of lost) if (!kept.includes(id)) this.droppedMs.set(id, this.kernel.nowMs);
    // A fork may drop the block since which they are silent.
    if (this.silent > 0) await this.control('witnesses', { silent: this.silent });
    this.kernel.log(`fork from ${from}, ${kept.length} of ${ids.length} kept`);
  }

  /** Since when too few witnesses make blocks, if they do. */
  get silentSinceMs(): number | null {
    const last = this.silences.at(-1);
    return last?.untilMs === Infinity ? last.fromMs : null;
  }

  async silence(count: number): Promise<void> {
    this.silences.push({ fromMs: this.kernel.nowMs, untilMs: Infinity });
    this.silent = count;
    await this.control('witnesses', { silent: count });
  }

  async endSilence(): Promise<void> {
    for (const silence of this.silences) silence.untilMs = Math.min(silence.untilMs, this.kernel.nowMs);
    this.silent = 0;
    await this.control('witnesses', { silent: 0 });
  }

  /** Somebody else with the wallet's key. */
  async stranger(does: 'delegate' | 'undelegate', wallet: ChainWallet, receiver: string, sun: bigint): Promise<void> {
    const body = { receiver_address: receiver, balance: Number(sun), resource: 'ENERGY' };
    const txId = await this.sign(`${does}resource`, wallet, body);
    if (txId !== null) this.foreignTxIds.set(txId, wallet.address);
  }

  /** Its id; null: the network does not take it. */
  async sign(route: string, { address, key }: ChainWallet, message: JsonObject): Promise<string | null> {
    const built = await this.ask(`wallet/${route}`, { owner_address: address, visible: true, ...message });
    const txId = built['txID'];
    if (typeof txId !== 'string') {
      this.kernel.log(`stranger cannot ${route}: ${JSON.stringify(built)}`);
      return null;
    }
    const signature = sign(Buffer.from(txId, 'hex'), key).toString('hex');
    const sent = await this.ask('wallet/broadcasttransaction', { ...built, signature: [signature] });
    this.kernel.log(`stranger: ${route} ${JSON.stringify(message)} ${JSON.stringify(sent['result'] ?? sent['code'])}`);
    return sent['result'] === true ? txId : null;
  }

  async stakeBetween({ address }: ChainWallet, receiver: string): Promise<bigint> {
    const body = { fromAddress: address, toAddress: receiver, visible: true };
    const { delegatedResource = [] } = await this.ask('wallet/getdelegatedresourcev2', body);
    return (delegatedResource as { frozen_balance_for_energy?: number }[]).reduce(
      (sum, { frozen_balance_for_energy: sun = 0 }) => sum + BigInt(sun),
      0n,
    );
  }

  /** By a node of its own, which has no faults. */
  async ask(path: string, body: JsonObject): Promise<JsonObject> {
    const node = new NodeEndpoint(this.node, this.endpoints[0]!.options);
    const served = await callNode(this.kernel, node, `/${path}`, JSON.stringify(body));
    return served && 'body' in served ? (JSON.parse(served.body) as JsonObject) : {};
  }
}
