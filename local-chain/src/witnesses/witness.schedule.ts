import type { Block } from '../chain/block.model';
import type { BlockStore } from '../chain/block.store';
import { ChainControlError } from '../chain/control.error';
import { HEADER_RAW } from '../protobuf/transaction.schema';
import { decode } from '../protobuf/wire.codec';
import type { ChainDatabase } from '../state/chain.database';
import type { StateStore } from '../state/state.store';
import { keys } from '../state/world.state';
import { finalHeight } from './finality';
import { addressOf, newWitness, type Witness } from './witness.model';

/** Knows which witness makes the next block, and up to where they have built on one another's. */
export class WitnessSchedule {
  /** For each witness, by its number, the newest block that it has made; none below what is final. */
  private readonly newest = new Map<number, number>();
  private elected: readonly Witness[] = [];

  constructor(
    private readonly database: ChainDatabase,
    private readonly state: StateStore,
    private readonly blocks: BlockStore,
  ) {
    this.noteElection();
  }

  get witnesses(): readonly Witness[] {
    return (this.state.head().get(keys.witnesses) as Witness[] | undefined) ?? [];
  }
  get active(): readonly Witness[] {
    return this.elected;
  }
  /** Other witnesses are in the state now. */
  noteElection(): void {
    this.elected = this.witnesses.filter(({ active }) => active);
    this.recount();
  }

  /** It never steps back. */
  get finalHeight(): number {
    return this.database.numberOf('final');
  }

  /** Turns follow the heights; a turn without a block, and a fork, move them on. */
  turnAt(height: number): Witness {
    const { active } = this;
    return active[(height + this.database.numberOf('passed')) % active.length]!;
  }
  passTurn(): void {
    this.database.putNumber('passed', this.database.numberOf('passed') + 1);
  }
  /** The turns of silent ones pass. */
  nextSpeaking(height: number): Witness {
    if (this.active.every(({ silent }) => silent))
      throw new ChainControlError('all witnesses are silent: none makes a block');
    while (this.turnAt(height).silent) this.passTurn();
    return this.turnAt(height);
  }

  noteBlock(height: number, by: Witness): void {
    this.newest.set(by.number, height);
    const heights = this.active.map(({ number }) => this.newest.get(number) ?? 0);
    this.database.putNumber('final', Math.max(this.finalHeight, finalHeight(heights)));
  }

  /** From the blocks, after a start or a fork. */
  recount(): void {
    this.newest.clear();
    const head = this.blocks.findHead()?.height ?? 0;
    const numbers = new Map(this.witnesses.map((witness) => [addressOf(witness), witness.number]));
    for (let height = this.finalHeight + 1; height <= head; height++)
      this.newest.set(numbers.get(producerOf(this.blocks.find(height)!))!, height);
  }

  /** The elected ones as they are, when they are as many as asked for; else the newest go, or new ones come. */
  ofNumber(count: number): Witness[] {
    const all = this.witnesses.map((witness) => ({ ...witness }));
    const active = all.filter((witness) => witness.active);
    for (const witness of active.slice(count)) witness.active = false;
    const missing = Math.max(0, count - active.length);
    return [...all, ...Array.from({ length: missing }, (_, i) => newWitness(all.length + 1 + i))];
  }
}

const producerOf = (block: Block): string => decode(HEADER_RAW, block.header).witness_address.toString('hex');
