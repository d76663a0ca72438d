import { spendEnergy, type EnergyBill } from '../resources/energy.use';
import { StateLayer, type StateReader } from '../state/state.layer';
import { AccountMissingError, WorldState } from '../state/world.state';
import { PARAMETERS } from './chain.parameters';
import { ChainControlError } from './control.error';
import { TransactionRefusedError } from './transaction.errors';
import { checkNextSlot, executeTransaction, type ChainFacts } from './transaction.execution';
import type { ChainTransaction } from './transaction.model';
import { type CallResult, type IncludedTransaction, resultOf } from './transaction.receipt';

export interface PendingTransaction {
  tx: ChainTransaction;
  receivedAt: number;
  /** Shown as pending like any other, and then lost. */
  doomed: boolean;
}

/** Energy used as by a contract call: it waits in the same row as the transactions. */
export interface PendingSpend {
  address: string;
  energyUnits: bigint;
  done(bill: EnergyBill): void;
  failed(error: Error): void;
}

type Entry = PendingTransaction | PendingSpend;

export interface PackedBlock {
  layer: StateLayer;
  transactions: IncludedTransaction[];
  spent: { spend: PendingSpend; bill: EnergyBill }[];
  /** What the block had no room for, or had to leave for the next one. */
  left: Entry[];
}

const PERMISSION_UPDATE = 46;
const GONE = new ChainControlError('no account has this address any more');

/** Runs `work` on a layer of its own, kept only when it does not throw. */
function attempt<T>(below: StateLayer, now: number, work: (world: WorldState) => T): T {
  const layer = new StateLayer(below);
  const result = work(new WorldState(layer, now));
  below.absorb(layer);
  return result;
}

/** Transactions that were accepted and are in no block yet, in the order they came, and the state as it is with them. */
export class PendingPool {
  private entries: Entry[] = [];
  private readonly byId = new Map<string, ChainTransaction>();
  private readonly results = new Map<string, CallResult>();
  session: StateLayer;

  constructor(
    private base: StateReader,
    private facts: ChainFacts,
  ) {
    this.session = new StateLayer(base);
  }

  get world(): WorldState {
    return new WorldState(this.session, this.facts.headTime);
  }
  get transactions(): ChainTransaction[] {
    return [...this.byId.values()];
  }
  get size(): number {
    return this.byId.size;
  }
  find(id: string): ChainTransaction | undefined {
    return this.byId.get(id);
  }

  /** What became of a pending transaction's call, as things stand. */
  resultOf(id: string): CallResult {
    return this.results.get(id) ?? 'SUCCESS';
  }

  private known(facts: ChainFacts): ChainFacts {
    return { ...facts, isKnown: (id) => this.byId.has(id) || facts.isKnown(id) };
  }

  add(tx: ChainTransaction, receivedAt: number, doomed = false): void {
    const facts = this.known(this.facts);
    const receipt = attempt(this.session, this.facts.headTime, (world) => executeTransaction(world, tx, facts));
    this.entries.push({ tx, receivedAt, doomed });
    this.byId.set(tx.id, tx);
    this.results.set(tx.id, resultOf(receipt));
  }

  /** The same transaction, with something else beside it. */
  replace(tx: ChainTransaction): void {
    for (const entry of this.entries) if ('tx' in entry && entry.tx.id === tx.id) entry.tx = tx;
    this.byId.set(tx.id, tx);
  }

  addSpend(spend: PendingSpend): void {
    attempt(this.session, this.facts.headTime, (world) => spendEnergy(world, spend.address, spend.energyUnits));
    this.entries.push(spend);
  }

  abandonSpends(): void {
    for (const entry of this.entries) if (!('tx' in entry)) entry.failed(new ChainControlError('a fork dropped it'));
    this.entries = this.entries.filter((entry) => 'tx' in entry);
  }

  /** Builds the next block's content: first come, first served; what no longer holds is dropped without a word. */
  pack(height: number, now: number): PackedBlock {
    const packed: PackedBlock = { layer: new StateLayer(this.base), transactions: [], spent: [], left: [] };
    const updatedOwners = new Set<string>();
    const packedIds = new Set<string>();
    const facts = { ...this.facts, isKnown: (id: string) => packedIds.has(id) || this.facts.isKnown(id) };
    let size = 0;
    for (const entry of this.entries) {
      if (!('tx' in entry)) {
        this.packSpend(packed, entry);
        continue;
      }
      const { tx } = entry;
      if (entry.doomed || now - entry.receivedAt >= PARAMETERS.pendingTimeoutMs) continue;
      // The node leaves an owner's next transactions to the next block once one here changed who may sign for it.
      if (size + tx.bytes.length > PARAMETERS.maxBlockBytes || updatedOwners.has(tx.owner)) {
        packed.left.push(entry);
        continue;
      }
      try {
        checkNextSlot(tx, facts.headTime);
        const receipt = attempt(packed.layer, facts.headTime, (world) => executeTransaction(world, tx, facts));
        packed.transactions.push({ id: tx.id, height, position: packed.transactions.length, bytes: tx.bytes, receipt });
      } catch (error) {
        if (error instanceof TransactionRefusedError) continue;
        throw error;
      }
      size += tx.bytes.length;
      packedIds.add(tx.id);
      if (tx.rule?.type === PERMISSION_UPDATE) updatedOwners.add(tx.owner);
    }
    return packed;
  }

  private packSpend(packed: PackedBlock, spend: PendingSpend): void {
    try {
      const bill = attempt(packed.layer, this.facts.headTime, (world) =>
        spendEnergy(world, spend.address, spend.energyUnits),
      );
      packed.spent.push({ spend, bill });
    } catch (error) {
      if (!(error instanceof AccountMissingError)) throw error;
      spend.failed(GONE);
    }
  }

  /** Starts over on a new head: what is to stay is checked again, in its order. */
  reset(base: StateReader, facts: ChainFacts, entries: readonly Entry[] = this.entries): void {
    this.base = base;
    this.facts = facts;
    this.session = new StateLayer(base);
    this.entries = [];
    this.byId.clear();
    this.results.clear();
    for (const entry of entries) {
      try {
        if ('tx' in entry) this.add(entry.tx, entry.receivedAt, entry.doomed);
        else this.addSpend(entry);
      } catch (error) {
        if (!(error instanceof TransactionRefusedError || error instanceof AccountMissingError)) throw error;
        if (!('tx' in entry)) entry.failed(GONE);
      }
    }
  }
}
