import { hostname } from 'node:os';
import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql';
import type { ReadingRow } from './reading-row';
import { DUE, NOTE_FAILURE, NOTE_KEY_FAULT, READ, READINGS } from './reading.statements';

/** What a look has found, by block time. */
export interface StakeReading {
  readonly atMs: number;
  /** The node's solid block. */
  readonly block: number;
  readonly power: bigint;
  readonly idleVotes: bigint;
  readonly isIdle: boolean;
  readonly rewardSun: bigint;
  readonly isRewardDue: boolean;
  readonly ripeSun: bigint;
  readonly votedFor: readonly string[];
}

/** Why a care's key cannot do what it should; `isOfPlace`: it cannot be read on this machine, and another instance may have it. */
export interface KeyFault {
  readonly reason: string;
  readonly isOfPlace: boolean;
}

/** A fault that is the same from every instance has no machine's name. */
const EVERYWHERE = '';

/** The table `stake_readings`, and the faults of keys in `stake_care`. */
@Injectable()
export class ReadingRepository {
  constructor(private readonly sql: Sql) {}

  /** All wallets that lend. */
  list(): Promise<ReadingRow[]> {
    return this.sql.rows(READINGS);
  }

  /** Ids of wallets that are to be looked at: those with care so often, the others every `othersMs`; all by block time too, where it is known. */
  async findDue(everyMs: number, othersMs: number, blockMs: number | null): Promise<ReadonlySet<string>> {
    return new Set((await this.sql.rows(DUE, [everyMs, othersMs, blockMs])).map(({ id }) => id));
  }

  async read(walletId: string, reading: StakeReading): Promise<void> {
    const { atMs, block, power, idleVotes, isIdle, rewardSun, isRewardDue, ripeSun, votedFor } = reading;
    const witnesses = JSON.stringify(votedFor);
    const values = [
      walletId,
      atMs,
      power,
      idleVotes,
      isIdle,
      rewardSun,
      isRewardDue,
      ripeSun,
      witnesses,
      block,
    ] as const;
    await this.sql.execute(READ, [...values]);
  }

  /** The next look waits longer after each of them. */
  async failed(walletId: string): Promise<void> {
    await this.sql.execute(NOTE_FAILURE, [walletId]);
  }

  async noteKey(walletId: string, atMs: number, fault: KeyFault | null): Promise<void> {
    const here = hostname();
    // What nodes say of a key that cannot be read here is not known: another instance's word on that stands.
    const cleared = fault?.isOfPlace ? [here] : [here, EVERYWHERE];
    const place = fault?.isOfPlace ? here : EVERYWHERE;
    await this.sql.execute(NOTE_KEY_FAULT, [walletId, cleared, place, fault?.reason ?? null, atMs]);
  }
}
