import { isDeepStrictEqual } from 'node:util';
import type { EnergyBill } from '../resources/energy.use';
import { merkleRoot } from '../signing/merkle.tree';
import type { Account } from '../state/account.model';
import type { ChainDatabase } from '../state/chain.database';
import type { Network } from '../state/network.model';
import { StateLayer } from '../state/state.layer';
import { StateStore } from '../state/state.store';
import { WorldState, keys } from '../state/world.state';
import { contractState } from '../token/program.table';
import { maintain } from '../votes/maintenance';
import { noteMaker } from '../votes/witness.pay';
import { VIEW_LAG } from '../witnesses/finality';
import { addressOf, nameOfKey, ownAddress, signBlock, witnessAccount, type Witness } from '../witnesses/witness.model';
import { WitnessSchedule } from '../witnesses/witness.schedule';
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
import { ChainTransaction, bytesInBlock } from './transaction.model';
import { resultOf } from './transaction.receipt';

/** How far behind the solid block an older state can still be read. */
const KEPT_BEHIND_SOLID = 1_000;

/** What a key is to say instead; what it says is the state's own kind for that key. */
export type StateChange = (value: never) => unknown;

export class ChainNode {
  readonly clock: ChainClock;
  readonly state: StateStore;
  readonly blocks: BlockStore;
  readonly pool: PendingPool;
  readonly schedule: WitnessSchedule;
  private current: Block;
  /** How far the solid view is behind the head; undefined: as far as what is final, and two blocks more. */
  private solidLag: number | undefined;

  /** @param options.solidLag for a view that does not follow from the number of witnesses */
  constructor(
    readonly database: ChainDatabase,
    options: { witnesses: number; solidLag?: number | undefined; bandwidthStakeTrx?: number | undefined },
  ) {
    this.state = new StateStore(database);
    this.blocks = new BlockStore(database);
    if (!this.blocks.findHead()) this.begin(options.bandwidthStakeTrx);
    this.current = this.blocks.findHead()!;
    this.solidLag = options.solidLag;
    this.schedule = new WitnessSchedule(database, this.state, this.blocks);
    this.clock = new ChainClock(database.numberOf('clock'), (ahead) => database.putNumber('clock', ahead));
    this.pool = new PendingPool(this.state.head(), this.facts());
    this.setWitnesses(this.schedule.ofNumber(options.witnesses));
    this.haveContracts();
  }

  private begin(bandwidthStakeTrx: number | undefined): void {
    const { block, transactions, state } = createGenesis(bandwidthStakeTrx);
    this.database.transaction(() => {
      this.blocks.write(block, transactions);
      this.state.write(0, state);
    });
  }

  /** A chain kept from before has had them all along. */
  private haveContracts(): void {
    const head = this.state.head();
    const missing = [...contractState()].filter(([key]) => head.get(key) === undefined);
    if (missing.length > 0)
      this.amend(new Map(missing.map(([key, value]): [string, StateChange] => [key, () => value])));
  }

  get head(): Block {
    return this.current;
  }

  /** The height that cannot be undone: enough witnesses have built on it. */
  get finalHeight(): number {
    return this.schedule.finalHeight;
  }
  /** The block of the view of `walletsolidity/*`: it steps back only when a fork drops it, which takes a view ahead of what is final. */
  get solidHeight(): number {
    const due = this.solidLag === undefined ? this.finalHeight - VIEW_LAG : this.current.height - this.solidLag;
    return Math.max(this.database.numberOf('solid'), due, 0);
  }
  /** No fork drops it and every view has it: what is below will never be read from another branch. */
  private get settledHeight(): number {
    return Math.min(this.solidHeight, this.finalHeight);
  }
  /** Moves the view alone; undefined lets it follow what is final again. */
  setSolidLag(blocks: number | undefined): void {
    this.solidLag = blocks;
    this.database.putNumber('solid', this.solidHeight);
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
  /** The chain as it was when a block was its head; as far back as states are kept. */
  viewAt(height: number): ChainView {
    const oldest = Math.min(this.database.numberOf('pruned'), this.settledHeight);
    const block = this.blocks.find(Math.max(height, oldest, 0))!;
    const world = new WorldState(new StateLayer(this.state.at(block.height)), block.timestamp);
    return new ChainView(world, block, this.blocks);
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
    const witness = this.schedule.nextSpeaking(height);
    const header = {
      timestamp: BigInt(timestamp ?? Math.max(now, earliest)),
      txTrieRoot: merkleRoot(packed.transactions.map(({ bytes, receipt }) => bytesInBlock(bytes, resultOf(receipt)))),
      parentHash: Buffer.from(this.current.id, 'hex'),
      number: BigInt(height),
      witness_address: ownAddress(witness),
      version: PARAMETERS.blockVersion,
    };
    const block = blockOf(header, (hash) => signBlock(hash, witness));
    const before = packed.layer.get(keys.witnesses);
    this.payAndCount(packed.layer, block, witness);
    this.database.transaction(() => {
      this.blocks.write(block, packed.transactions);
      this.state.write(height, packed.layer.changes);
      this.current = block;
      if (packed.layer.get(keys.witnesses) !== before) this.schedule.noteElection();
      this.schedule.noteBlock(height, witness);
      this.database.putNumber('solid', this.solidHeight);
      this.prune();
      if (timestamp !== undefined) this.clock.reach(timestamp);
    });
    this.pool.reset(this.state.head(), this.facts(), packed.left);
    for (const { spend, bill } of packed.spent) spend.done(bill);
    return block;
  }

  /** The pay for a block, and where a period is over the count of votes: after its transactions. */
  private payAndCount(layer: StateLayer, { height, timestamp }: Block, witness: Witness): void {
    const world = new WorldState(layer, timestamp);
    noteMaker(world, witness, height, world.slot);
    maintain(world, timestamp);
  }

  /** The time of a block has come: it is made, unless the witness whose turn it is keeps silent. */
  reachSlot(): void {
    if (this.schedule.turnAt(this.current.height + 1).silent) this.schedule.passTurn();
    else this.produceBlock();
  }

  private prune(): void {
    const done = this.database.numberOf('pruned');
    const due = this.settledHeight - KEPT_BEHIND_SOLID;
    for (let height = done + 1; height <= due; height++) this.state.prune(height);
    if (due > done) this.database.putNumber('pruned', due);
  }

  /** Another branch wins from a height on: its blocks go, and of their transactions only the kept ones are pending again. */
  fork(from: number, keep: ReadonlySet<string>): { dropped: number; pending: string[] } {
    const head = this.current;
    if (from <= this.finalHeight)
      throw new ChainControlError(`block ${from} is final (final height ${this.finalHeight}): it cannot be dropped`);
    const lost = Array.from({ length: Math.max(0, head.height - from + 1) }, (_, i) =>
      this.blocks.listTransactions(from + i),
    ).flat();
    const candidates = [...lost.map(({ bytes }) => ChainTransaction.restore(bytes)), ...this.pool.transactions];
    this.database.transaction(() => {
      this.blocks.revert(from);
      this.state.revert(from);
      this.schedule.passTurn();
      this.database.putNumber('solid', Math.min(this.database.numberOf('solid'), from - 1));
      this.database.putNumber('floor', Math.max(head.timestamp, this.database.numberOf('floor')));
    });
    this.current = this.blocks.findHead()!;
    this.schedule.noteElection();
    this.pool.abandonSpends();
    const receivedAt = this.clock.now();
    const kept = candidates.filter((tx) => keep.has(tx.id)).map((tx) => ({ tx, receivedAt, doomed: false }));
    this.pool.reset(this.state.head(), this.facts(), kept);
    return { dropped: head.height - this.current.height, pending: this.pool.transactions.map((tx) => tx.id) };
  }

  /** Changes the state by hand, in the solid view too, as though it had always been so. */
  amend(changes: ReadonlyMap<string, StateChange>): void {
    this.database.transaction(() => {
      for (const [key, change] of changes) this.state.amend(key, this.settledHeight, change);
    });
    this.pool.reset(this.state.head(), this.facts());
  }

  setParameters(set: Readonly<Record<number, bigint>>): void {
    const change = (network: Network | undefined): Network => ({
      ...network!,
      parameters: { ...network!.parameters, ...set },
    });
    this.amend(new Map<string, StateChange>([[keys.network, change]]));
  }

  /** From the next block on; their accounts say so immediately, in the solid view too. */
  setWitnesses(witnesses: readonly Witness[]): void {
    if (isDeepStrictEqual(witnesses, this.schedule.witnesses)) return;
    const known = new Map(this.schedule.witnesses.map((witness) => [witness.number, nameOfKey(witness)]));
    const renewed = witnesses.filter((witness) => known.get(witness.number) !== nameOfKey(witness));
    const accounts = renewed.map((witness): [string, StateChange] => [
      keys.account(addressOf(witness)),
      (before: Account | undefined) => witnessAccount(witness, before),
    ]);
    this.amend(new Map([...accounts, [keys.witnesses, () => witnesses]]));
    this.schedule.noteElection();
  }

  close(): void {
    this.database.close();
  }
}
