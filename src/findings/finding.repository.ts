import { Injectable } from '@nestjs/common';
import { MissingError } from '../common/errors/domain.error';
import { type Queryable, Sql, type SqlTransaction } from '../database/sql';
import type { Finding } from './finding';
import type { ActionCode, FindingKind } from '../common/finding-reasons';
import type { WalletTransactionSubject } from '../common/finding-subject';
import { inEnglish } from './finding-text';
import {
  ACKNOWLEDGE,
  ACTED,
  DECIDED,
  COUNT_OPEN,
  COUNT_OPEN_OF_WALLET,
  type FindingRow,
  type FindingView,
  GONE,
  LIST,
  LOCK,
  LOCK_OPEN,
  LOCK_WALLET,
  type LockedFinding,
  NOTED,
  NOW,
  OPEN_BY_WALLET,
  OPEN_IDS,
  type OpenFindings,
  OPEN_OF_WALLET,
  OPEN_PAGE,
  type ResolvedFinding,
  SEEN,
  type SeenValues,
  TO_ACKNOWLEDGE,
  WHOLE_PAGE,
} from './finding.statements';
import { isAlarm } from './key-suspicions';
import { LANGUAGES } from '../languages/languages';
import { FOREIGN_STAKE, MAY_HAVE_BEEN_MISREAD } from './suspect-readings';
import { columnsOfSubject } from './subject-columns';
import { castsDoubt } from './wallet-doubts';

interface WalletAndReceiver {
  readonly walletId: string;
  readonly receiver: string;
}

/** Where a run could neither see a finding nor see it to be gone: orders under way may account for it. */
export interface Undecided {
  readonly foreign: readonly WalletAndReceiver[];
  readonly missing: readonly WalletAndReceiver[];
  /** They could not be read. */
  readonly walletIds: readonly string[];
}

const NOTHING: Undecided = { foreign: [], missing: [], walletIds: [] };

export interface SeenFinding {
  readonly id: bigint;
  /** Seen for the first time, or again after it had gone. */
  readonly isNew: boolean;
}

/** Findings outlive the run that made them: a panel shows them, and what was done once is not done again. */
@Injectable()
export class FindingRepository {
  constructor(private readonly sql: Sql) {}

  /** Null when an operator has acknowledged it since it was found. */
  async seen(finding: Finding, within?: SqlTransaction): Promise<SeenFinding | null> {
    return this.sql.within(within, async (tx) => {
      await tx.rows(LOCK_OPEN, [finding.kind, finding.subject]);
      const row = await tx.row(SEEN, valuesOf(finding));
      return row && { id: row.id, isNew: row.is_new };
    });
  }

  /** Notes what waits for no operator. False when it was noted before. */
  async noted(finding: Finding<WalletTransactionSubject>, tx: SqlTransaction): Promise<boolean> {
    return (await tx.row(NOTED, valuesOf(finding))) !== null;
  }

  /** With its wallet. @throws MissingError */
  async lock(id: bigint, tx: SqlTransaction): Promise<LockedFinding> {
    await tx.row(LOCK_WALLET, [id]);
    const row = await tx.row(LOCK, [id]);
    if (!row) throw new MissingError('finding.not-found', { id });
    return row;
  }

  /** Makes it history: as much of it stops being a finding. */
  async acknowledge(id: bigint, note: string, tx: SqlTransaction): Promise<FindingView> {
    return (await tx.row(ACKNOWLEDGE, [id, note]))!;
  }

  /** Ids of the open findings, by kind and subject. */
  async openIds(): Promise<ReadonlyMap<string, bigint>> {
    const rows = await this.sql.rows(OPEN_IDS);
    return new Map(rows.map(({ id, kind, subject }) => [`${kind} ${subject}`, id]));
  }

  /** An operator has decided what findings of this kind were about. */
  async decided(kind: FindingKind, tx: SqlTransaction): Promise<void> {
    await tx.execute(DECIDED, [kind]);
  }

  /** `wallet`: the name of the one that the finding is about. */
  async acted(id: bigint, action: ActionCode, wallet = '', db: Queryable = this.sql): Promise<void> {
    await db.execute(ACTED, [id, action, LANGUAGES.en.findings.actions[action](wallet)]);
  }

  /** Those first that may mean a stolen key; newest first. */
  async openOfWallet(walletId: string): Promise<FindingRow[]> {
    const open = await this.sql.rows(OPEN_OF_WALLET, [walletId]);
    return open.toSorted((a, b) => Number(isAlarm(b)) - Number(isAlarm(a)));
  }

  /** Without warnings of what runs out (`low_…`). */
  async countOpenOf(walletId: string, tx: SqlTransaction): Promise<number> {
    return (await tx.row(COUNT_OPEN_OF_WALLET, [walletId]))!.findings;
  }

  async countOpen(): Promise<number> {
    return (await this.sql.row(COUNT_OPEN))!.findings;
  }

  /** Counted by kind and wallet. */
  openByWallet(): Promise<OpenFindings[]> {
    return this.sql.rows(OPEN_BY_WALLET);
  }

  async now(): Promise<string> {
    return (await this.sql.row(NOW))!.now;
  }

  /** Ends findings that a run has not seen, unless they could not be seen, or another run has seen them since this one began. */
  resolveOthers(
    seenIds: readonly bigint[],
    begunAt: string | null = null,
    { foreign, missing, walletIds }: Undecided = NOTHING,
  ): Promise<ResolvedFinding[]> {
    return this.sql.rows(GONE, [
      seenIds,
      MAY_HAVE_BEEN_MISREAD,
      ...columnsOf(missing),
      FOREIGN_STAKE,
      ...columnsOf(foreign),
      begunAt,
      walletIds,
    ]);
  }

  /** Newest first; open ones alone unless asked otherwise. */
  list({ resolved = false, limit }: { resolved?: boolean; limit?: number } = {}): Promise<FindingView[]> {
    return this.sql.rows(LIST, [resolved, limit ?? null]);
  }

  /** Newest first, those before an id. */
  page(resolvedToo: boolean, limit: number, before: bigint | null): Promise<FindingRow[]> {
    return this.sql.rows(resolvedToo ? WHOLE_PAGE : OPEN_PAGE, [limit, before]);
  }

  /** Null unless it is one that can be acknowledged. */
  findToAcknowledge(id: bigint): Promise<FindingRow | null> {
    return this.sql.row(TO_ACKNOWLEDGE, [id]);
  }

  /** That keep their wallet from being resumed without a word. */
  async doubtsOf(walletId: string, db: Queryable = this.sql): Promise<FindingRow[]> {
    return (await db.rows(OPEN_OF_WALLET, [walletId])).filter(castsDoubt);
  }
}

function valuesOf(finding: Finding): SeenValues {
  const { kind, subject, about, code, parameters, amountSun } = finding;
  const { subject_type: type, subject_id: id, wallet_id: walletId, receiver } = columnsOfSubject(about);
  const { reason, next_step: nextStep } = inEnglish(finding);
  const said = [code, JSON.stringify(parameters), reason, nextStep] as const;
  return [kind, subject, type, id, walletId, receiver, ...said, amountSun ?? null];
}

function columnsOf(pairs: readonly WalletAndReceiver[]): [walletIds: string[], receivers: string[]] {
  return [pairs.map(({ walletId }) => walletId), pairs.map(({ receiver }) => receiver)];
}
