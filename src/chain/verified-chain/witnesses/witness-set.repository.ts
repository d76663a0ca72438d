import { Injectable } from '@nestjs/common';
import { type Queryable, Sql } from '../../../database/sql';
import type { Witness } from '../../proof/judge';
import type { FollowedWitnesses } from '../../proof/proved-witnesses';
import {
  ACCEPT,
  BEGIN_ANEW,
  FOLLOW,
  KEEP,
  OFFER,
  READ,
  RECENT_CHANGES,
  type RecentWitnessChange,
  type StoredWitnesses,
} from './witness-set.statements';

export type { RecentWitnessChange, StoredWitnesses } from './witness-set.statements';

/** As `valid_until_ms`, of a set that not every node has named yet. */
export const PROVISIONAL = 0;

/** Not every node has named this set yet, or none of these sets. */
export function isProvisional(stored: StoredWitnesses | null): boolean {
  return stored?.valid_until_ms === BigInt(PROVISIONAL);
}

/** The witnesses whose signatures count: none while another set stands against a provisional one. */
export function believed(stored: StoredWitnesses | null): readonly Witness[] {
  return stored && !(isProvisional(stored) && stored.offered) ? stored.witnesses : [];
}

/** The tables `witness_set` and `witness_changes`. */
@Injectable()
export class WitnessSetRepository {
  constructor(private readonly sql: Sql) {}

  /** Null before the first reading. */
  find(db: Queryable = this.sql): Promise<StoredWitnesses | null> {
    return db.row(READ);
  }

  /**
   * The nodes name nothing that an operator has to decide about. The set itself is taken from them only when it is the first.
   * @param named as `KnownWitnesses` has it
   */
  async keep(witnesses: readonly Witness[], validUntilMs: number, named: readonly string[]): Promise<void> {
    await this.sql.execute(KEEP, [JSON.stringify(witnesses), validUntilMs, JSON.stringify(named)]);
  }

  /** @param instead of these, which are believed where they were agreed on before */
  async offer(witnesses: readonly Witness[], instead: readonly Witness[], named: readonly string[]): Promise<void> {
    await this.sql.execute(OFFER, [JSON.stringify(witnesses), JSON.stringify(instead), JSON.stringify(named)]);
  }

  /** Null when nothing is offered, or a set with another digest. */
  accept(digest: string, db: Queryable): Promise<StoredWitnesses | null> {
    return db.row(ACCEPT, [digest]);
  }

  /** Another branch was accepted: who signs is followed from its head on. */
  async beginAnew(db: Queryable): Promise<void> {
    await db.execute(BEGIN_ANEW);
  }

  /** False, and nothing is written, when the set is not the one any more that was read with this version. */
  async follow({ witnesses, followed, changes }: FollowedWitnesses, version: number): Promise<boolean> {
    const values = [witnesses, followed, changes].map((value) => JSON.stringify(value)) as [string, string, string];
    const row = await this.sql.row(FOLLOW, [...values, version]);
    return row?.kept === 1n;
  }

  recentChanges(): Promise<RecentWitnessChange[]> {
    return this.sql.rows(RECENT_CHANGES);
  }
}
