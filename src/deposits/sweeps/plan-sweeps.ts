import { Inject, Injectable } from '@nestjs/common';
import { v7 as newId } from 'uuid';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { AuditLog, type Operator } from '../../audit-log/audit-log';
import { withCallPriority } from '../../chain/tron/node/call-priority';
import { ChainReads } from '../../chain/tron/node/chain-reads';
import { unsignedData } from '../../chain/transactions/signing/transaction-builder';
import { ReferenceBlocks, type ReferenceBlock } from '../../chain/verified-chain/reference-blocks';
import { forEachConcurrently } from '../../common/concurrency/for-each-concurrently';
import { DomainError } from '../../common/errors/domain.error';
import { CommitUnknownError } from '../../database/commit-unknown.error';
import { Sql } from '../../database/sql';
import { DepositAddresses } from '../deposit-addresses';
import { type Asset, ASSETS } from '../deposit-states';
import { ExpireSweeps } from './expire-sweeps';
import { Holdings } from './holdings';
import { bytesOf, txIdOf, valuesOf } from './sweep-bytes';
import {
  type PlannedEntry,
  removeSweepFile,
  requireNoFile,
  sumsOf,
  type SweepEntry,
  writeSweepFile,
} from './sweep-file';
import { LEFT_OUT, PLAN, type PlannedSweep, type SweptAddress, WITHOUT_SWEEP } from './sweep.statements';
import { SWEEP_KINDS } from './transaction-kinds';

const LIFETIME_MS = 12 * 3_600_000;

export interface SweepPlan {
  readonly to: string;
  readonly sweeps: number;
  readonly sun: bigint;
  /** USDT, in millionths. */
  readonly units: bigint;
  /** What they take of the addresses' own bandwidth, all together. */
  readonly bandwidth: number;
  /** What they take of the pool's energy, all together. */
  readonly energy: number;
  readonly expiresAt: Date;
  /** Addresses that are left out, each once for each asset: less than the minimum, a sweep of before that is open, a node that does not answer, of another account. */
  readonly tooSmall: number;
  readonly underWay: number;
  readonly unread: number;
  readonly otherAccounts: number;
  /** Addresses about which nodes disagree: the least counts. */
  readonly disputed: number;
}

interface Wanted {
  readonly address: SweptAddress;
  readonly asset: Asset;
  readonly amount: bigint;
}

/** Smaller holdings are left out. */
export type Least = Readonly<Partial<Record<Asset, bigint | undefined>>>;

/** Writes what addresses hold as transactions to the treasury, for a machine that has their keys. */
@Injectable()
export class PlanSweeps {
  constructor(
    private readonly sql: Sql,
    private readonly addresses: DepositAddresses,
    private readonly reads: ChainReads,
    private readonly holdings: Holdings,
    private readonly references: ReferenceBlocks,
    private readonly expire: ExpireSweeps,
    private readonly auditLog: AuditLog,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  /** @throws DomainError, NodeUnavailableError */
  async plan(operator: Operator, file: string, least: Least = {}): Promise<SweepPlan> {
    const { deposits } = this.configuration;
    if (!deposits) throw new DomainError('deposit.off');
    const { account, sweepTo: to } = deposits;
    if (to === undefined) throw new DomainError('sweep.no-destination');
    await requireNoFile(file);
    await this.requireFit(to);
    await this.expire.run();
    const minimum = { TRX: least.TRX ?? deposits.leastSun, USDT: least.USDT ?? deposits.leastUsdt };
    const { wanted, ...counts } = await withCallPriority('audit', () => this.look(account.fingerprint, minimum));
    const [left, leftUsdt] = await Promise.all(
      ASSETS.map((asset) => this.sql.row(LEFT_OUT, [account.fingerprint, asset])),
    );
    const reference = await this.references.final();
    const expirationMs = reference.headTimeMs + LIFETIME_MS;
    const { usdtContract: usdt } = this.configuration.nodes;
    const energy = wanted.some(({ asset }) => asset === 'USDT') ? await this.holdings.energyTo(to) : 0n;
    const planned = wanted.map((one) => sweepOf(one, { to, usdt, energy, reference, expirationMs }));
    const entries = await this.write(operator, file, planned);
    return {
      to,
      sweeps: entries.length,
      sun: sumOf(entries, 'TRX'),
      units: sumOf(entries, 'USDT'),
      bandwidth: entries.reduce((sum, { rawDataHex }) => sum + bytesOf(rawDataHex), 0),
      energy: entries.reduce((sum, { energy: one = 0n }) => sum + Number(one), 0),
      expiresAt: new Date(expirationMs),
      ...counts,
      underWay: left!.under_way + leftUsdt!.under_way,
      otherAccounts: left!.other_accounts,
    };
  }

  /** To an address without an account, each transfer would cost what an activation does, and be refused, for it moves all there is. */
  private async requireFit(to: string): Promise<void> {
    if (await this.addresses.isKnown(to))
      throw new DomainError('sweep.destination-unfit', {
        address: to,
        reason: 'it is a deposit address',
      });
    const state = await this.reads.receiverState(to);
    if (state !== 'active')
      throw new DomainError('sweep.destination-unfit', {
        address: to,
        reason: state === 'contract' ? 'it is a contract' : 'it has no account on the chain yet',
      });
  }

  private async look(account: string, least: Readonly<Record<Asset, bigint>>) {
    const wanted: Wanted[] = [];
    const counts = { tooSmall: 0, unread: 0, disputed: 0 };
    for (const asset of ASSETS) {
      const addresses = await this.sql.rows(WITHOUT_SWEEP, [account, asset]);
      await forEachConcurrently(addresses, async (address) => {
        const holding = await this.holdings.of(address.address, asset);
        if (holding?.isDisputed) counts.disputed++;
        if (holding === null) counts.unread++;
        // Nearly all addresses hold one of the two: nothing at all is not worth a word.
        else if (holding.amount === 0n) return;
        else if (holding.amount < least[asset]) counts.tooSmall++;
        else wanted.push({ address, asset, amount: holding.amount });
      });
    }
    return { wanted: wanted.toSorted((one, other) => one.address.number - other.address.number), ...counts };
  }

  /**
   * Rows and file are there together, or neither; but a process that is killed between leaves a file whose rows are not there: sending it is
   * refused. Where it is not known whether the rows were committed, the file stays.
   */
  private async write(operator: Operator, file: string, planned: readonly Planned[]): Promise<PlannedEntry[]> {
    const act = { action: 'deposit.sweep-plan', subject: 'service' } as const;
    let isWritten = false;
    try {
      return await this.auditLog.record(operator, act, async (tx) => {
        const rows = planned.map(({ row }) => row);
        const inserted = new Set((await tx.rows(PLAN, [JSON.stringify(rows)])).map(({ id }) => id));
        if (planned.length > 0 && inserted.size === 0) throw new DomainError('sweep.none-planned');
        const result = planned.flatMap(({ row, entry }) => (inserted.has(row.id) ? [entry] : []));
        await writeSweepFile(file, 'plan', result);
        isWritten = true;
        return { result, after: { sweeps: result.length, ...sumsOf(result) } };
      });
    } catch (error) {
      if (isWritten && !(error instanceof CommitUnknownError)) await removeSweepFile(file);
      throw error;
    }
  }
}

interface Planned {
  readonly row: PlannedSweep;
  readonly entry: PlannedEntry;
}

interface Common {
  readonly to: string;
  readonly usdt: string;
  /** What a call takes. */
  readonly energy: bigint;
  readonly reference: ReferenceBlock;
  readonly expirationMs: number;
}

function sweepOf({ address: { address, number }, asset, amount }: Wanted, common: Common): Planned {
  const { to, usdt, energy, reference, expirationMs } = common;
  const values = valuesOf(asset, to, amount, usdt);
  const timestampMs = expirationMs - LIFETIME_MS;
  const plan = { kind: SWEEP_KINDS[asset], values, reference, expirationMs, timestampMs };
  const { rawDataHex } = unsignedData({ address, permissionId: 0 }, plan);
  const id = newId();
  return {
    entry: { id, address, number, asset, amount, rawDataHex, ...(asset === 'USDT' && { energy }) },
    row: {
      id,
      address,
      asset,
      amount: amount.toString(),
      tx_id: txIdOf(rawDataHex),
      raw_data_hex: rawDataHex,
      bytes: bytesOf(rawDataHex),
      expiration_ms: expirationMs,
      ref_block_number: reference.number,
    },
  };
}

function sumOf(entries: readonly SweepEntry[], wanted: Asset): bigint {
  return entries.reduce((sum, { asset, amount }) => (asset === wanted ? sum + amount : sum), 0n);
}
