import { WITNESSES } from '../genesis.accounts';
import type { EnergyBill } from '../resources/energy.use';
import { merkleRoot } from '../signing/merkle.tree';
import { sign } from '../signing/secp256k1';
import type { ChainDatabase } from '../state/chain.database';
import { StateLayer } from '../state/state.layer';
import { StateStore } from '../state/state.store';
import { WorldState } from '../state/world.state';
import { blockOf, type Block } from './block.model';
import { BlockStore } from './block.store';
import { ChainClock } from './chain.clock';
import { PARAMETERS } from './chain.parameters';
import { ChainView } from './chain.view';
import { ChainControlError } from './control.error';
import { createGenesis } from './genesis.block';
import { PendingPool } from './pending.pool';
import { checkSignatures } from './signature.check';
import { ContractValidateError, TransactionRefusedError } from './transaction.errors';
import { checkNextSlot, type ChainFacts } from './transaction.execution';
import { ChainTransaction } from './transaction.model';

/** How far behind the solid block an older state can still be read. */
const KEPT_BEHIND_SOLID = 1_000;

/** A block's signature ends with the bare recovery number. */
const blockSignature = (signature: Buffer): Buffer =>
  Buffer.concat([signature.subarray(0, 64), Buffer.from([signature[64]! - 27])]);

/** What a key is to say instead; what it says is the state's own kind for that key. */
export type StateChange = (value: never) => unknown;

export class ChainNode {
  readonly clock: ChainClock;
  readonly state: StateStore;
  readonly blocks: BlockStore;
  readonly pool: PendingPool;
  private current: Block;
  private solidLag: number;
  private forks: number;

  constructor(
    readonly database: ChainDatabase,
    options: { solidLag: number },
  ) {
    this.state = new StateStore(database);
    this.blocks = new BlockStore(database);
    if (!this.blocks.findHead()) this.begin();
    this.current = this.blocks.findHead()!;
    this.solidLag = options.solidLag;
    this.forks = database.numberOf('forks');
    this.clock = new ChainClock(database.numberOf('clock'), (ahead) => database.putNumber('clock', ahead));
    this.pool = new PendingPool(this.state.head(), this.facts());
  }

  private begin(): void {
    const { block, transactions, state } = createGenesis();
    this.database.transaction(() => {
      this.blocks.write(block, transactions);
      this.state.write(0, state);
    });
  }

  get head(): Block {
    return this.current;
  }

  /** What is solid stays solid, even when the lag is made longer. */
  get solidHeight(): number {
    return Math.max(this.database.numberOf('solid'), this.current.height - this.solidLag, 0);
  }
  /** `getnodeinfo` counts two blocks fewer than the view of `walletsolidity` is behind. */
  get nodeInfoSolidHeight(): number {
    return Math.max(this.solidHeight, this.current.height - Math.max(0, this.solidLag - 2));
  }
  setSolidLag(blocks: number): void {
    this.database.putNumber('solid', this.solidHeight);
    this.solidLag = blocks;
  }

  private facts(): ChainFacts {
    return {
      headHeight: this.current.height,
      headTime: this.current.timestamp,
      findBlockId: (height) => this.blocks.find(height)?.id,
      isKnown: (id) => this.blocks.findTransaction(id) !== undefined,
    };
  }

  /** Head and everything pending, as `wallet/*` shows it. */
  walletView(): ChainView {
    return new ChainView(this.pool.world, this.current, this.blocks);
  }
  /** The solid state, or one further behind it. */
  solidView(further = 0): ChainView {
    const oldest = Math.max(0, this.database.numberOf('pruned'));
    const height = Math.max(this.solidHeight - further, Math.min(oldest, this.solidHeight));
    const block = this.blocks.find(height)!;
    return new ChainView(new WorldState(new StateLayer(this.state.at(height)), block.timestamp), block, this.blocks);
  }

  /** Takes a transaction into the pool, or throws what the node answers instead. */
  broadcast(tx: ChainTransaction, doomed = false): void {
    if (this.pool.size > PARAMETERS.maxPending) throw new TransactionRefusedError('SERVER_BUSY', 'Server busy.');
    if (tx.raw.contract.length === 0) throw new ContractValidateError('No contract!');
    checkNextSlot(tx, this.current.timestamp);
    checkSignatures(this.pool.world, tx);
    this.pool.add(tx, this.clock.now(), doomed);
  }

  spend(address: string, energyUnits: bigint): Promise<EnergyBill> {
    return new Promise((done, failed) => this.pool.addSpend({ address, energyUnits, done, failed }));
  }

  /** The next block, of a given time or of now, with what is pending. */
  produceBlock(timestamp?: number): Block {
    const now = this.clock.now();
    const earliest = Math.max(this.current.timestamp, this.database.numberOf('floor')) + 1;
    if (timestamp !== undefined && timestamp <= this.current.timestamp)
      throw new ChainControlError(`the block's time must be after its parent's, ${this.current.timestamp}`);
    const height = this.current.height + 1;
    const packed = this.pool.pack(height, now);
    const witness = WITNESSES[(height + this.forks) % WITNESSES.length]!;
    const header = {
      timestamp: BigInt(timestamp ?? Math.max(now, earliest)),
      txTrieRoot: merkleRoot(packed.transactions.map(({ bytes }) => bytes)),
      parentHash: Buffer.from(this.current.id, 'hex'),
      number: BigInt(height),
      witness_address: witness.address,
      version: PARAMETERS.blockVersion,
    };
    const block = blockOf(header, (hash) => blockSignature(sign(hash, witness.key)));
    this.database.transaction(() => {
      this.blocks.write(block, packed.transactions);
      this.state.write(height, packed.layer.changes);
      this.current = block;
      this.database.putNumber('solid', this.solidHeight);
      this.prune();
      if (timestamp !== undefined) this.clock.reach(timestamp);
    });
    this.pool.reset(this.state.head(), this.facts(), packed.left);
    for (const { spend, bill } of packed.spent) spend.done(bill);
    return block;
  }

  private prune(): void {
    const done = this.database.numberOf('pruned');
    const due = this.solidHeight - KEPT_BEHIND_SOLID;
    for (let height = done + 1; height <= due; height++) this.state.prune(height);
    if (due > done) this.database.putNumber('pruned', due);
  }

  /** Another branch wins from a height on: its blocks go, and of their transactions only the kept ones are pending again. */
  fork(from: number, keep: ReadonlySet<string>): { dropped: number; pending: string[] } {
    const head = this.current;
    if (from <= this.solidHeight)
      throw new ChainControlError(`block ${from} is solid (solid height ${this.solidHeight}): it cannot be dropped`);
    const lost = Array.from({ length: Math.max(0, head.height - from + 1) }, (_, i) =>
      this.blocks.listTransactions(from + i),
    ).flat();
    const candidates = [...lost.map(({ bytes }) => ChainTransaction.parse(bytes)), ...this.pool.transactions];
    this.database.transaction(() => {
      this.blocks.revert(from);
      this.state.revert(from);
      this.forks += 1;
      this.database.putNumber('forks', this.forks);
      this.database.putNumber('floor', Math.max(head.timestamp, this.database.numberOf('floor')));
    });
    this.current = this.blocks.findHead()!;
    this.pool.abandonSpends();
    const receivedAt = this.clock.now();
    const kept = candidates.filter((tx) => keep.has(tx.id)).map((tx) => ({ tx, receivedAt, doomed: false }));
    this.pool.reset(this.state.head(), this.facts(), kept);
    return { dropped: head.height - this.current.height, pending: this.pool.transactions.map((tx) => tx.id) };
  }

  /** Changes the state by hand, in the solid view too, as though it had always been so. */
  amend(changes: ReadonlyMap<string, StateChange>): void {
    this.database.transaction(() => {
      for (const [key, change] of changes) this.state.amend(key, this.solidHeight, change);
    });
    this.pool.reset(this.state.head(), this.facts());
  }

  close(): void {
    this.database.close();
  }
}
