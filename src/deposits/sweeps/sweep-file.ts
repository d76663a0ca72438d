import { constants } from 'node:fs';
import { access, link, open, rename, unlink } from 'node:fs/promises';
import { DomainError } from '../../common/errors/domain.error';
import { describeFailure, readWhole, STANDARD_STREAM, writeToStdout } from '../../common/standard-streams';
import { type Asset, ASSETS } from '../deposit-states';
import { formatTrx } from '../../common/money/sun';
import { bytesOf } from './sweep-bytes';

/** One transaction of a plan, as the file has it. The bytes decide; the rest says in which words they were planned. */
export interface SweepEntry {
  readonly id: string;
  readonly address: string;
  /** The i of the path m/44'/195'/0'/0/i. */
  readonly number: number;
  readonly asset: Asset;
  /** In the asset's smallest unit. */
  readonly amount: bigint;
  readonly rawDataHex: string;
}

/** As a plan has it. */
export interface PlannedEntry extends SweepEntry {
  /** What its call takes at this moment; a transfer of TRX has none. */
  readonly energy?: bigint;
}

export interface SignedEntry extends SweepEntry {
  readonly signature: string;
}

/** What they move, for people. Both assets have six places. */
export function sumsOf(entries: readonly Pick<SweepEntry, 'asset' | 'amount'>[]): { trx: string; usdt: string } {
  const sum = (wanted: Asset) =>
    formatTrx(entries.reduce((total, { asset, amount }) => (asset === wanted ? total + amount : total), 0n));
  return { trx: sum('TRX'), usdt: sum('USDT') };
}

const FORMATS = { plan: 'deposit-sweep-plan 1', signed: 'deposit-sweep-signed 1' } as const;
type Format = keyof typeof FORMATS;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const HEX = /^([0-9a-f]{2}){1,1000}$/;
const SIGNATURE = /^[0-9a-f]{130}$/;
const DIGITS = /^[1-9]\d{0,18}$/;
/** A path's number without the mark of a hardened one. */
const MOST_NUMBER = 2 ** 31 - 1;

/** Whole or not at all. @throws DomainError */
export async function writeSweepFile(file: string, format: Format, entries: readonly PlannedEntry[]): Promise<void> {
  const text = `${JSON.stringify({ format: FORMATS[format], sweeps: entries.map(documentOf) }, null, 1)}\n`;
  try {
    await (file === STANDARD_STREAM ? writeToStdout(text) : writeNewFile(file, text));
  } catch (error) {
    throw new DomainError('sweep.file-not-written', describeFailure(file, 'output', error));
  }
}

/** For its owner alone, and never in the place of another file. */
async function writeNewFile(file: string, text: string): Promise<void> {
  const begun = `${file}.${process.pid}.part`;
  try {
    const handle = await open(begun, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await giveName(begun, file);
  } finally {
    await unlink(begun).catch(() => undefined);
  }
}

/** As a file system says it that has no second name for a file: those of USB sticks, and of some networks. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Unlike a rename alone, it fails where the name is taken. */
async function giveName(begun: string, file: string): Promise<void> {
  try {
    await link(begun, file);
  } catch (error) {
    if (!NO_LINKS.has(codeOf(error))) throw error;
    // Ended here, it leaves an empty file, which no command takes for a plan.
    await (await open(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)).close();
    await rename(begun, file);
  }
}

/** Before anything else is done for it; the writing itself replaces no file either. @throws DomainError */
export async function requireNoFile(file: string): Promise<void> {
  if (file === STANDARD_STREAM) return;
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere) throw new DomainError('sweep.file-not-written', { file, reason: 'EEXIST' });
}

/** What standard output has taken stays with its reader. */
export async function removeSweepFile(file: string): Promise<void> {
  if (file !== STANDARD_STREAM) await unlink(file).catch(() => undefined);
}

/** @throws DomainError */
export async function readSweepPlan(file: string): Promise<SweepEntry[]> {
  return (await sweepsIn(file, 'plan')).map(entryOf);
}

/** @throws DomainError */
export async function readSignedSweeps(file: string): Promise<SignedEntry[]> {
  return (await sweepsIn(file, 'signed')).map((sweep, at) => ({
    ...entryOf(sweep, at),
    signature: textIn(sweep, 'signature', SIGNATURE, at),
  }));
}

async function sweepsIn(file: string, format: Format): Promise<Record<string, unknown>[]> {
  const bytes = await readWhole(file).catch((error: unknown) => {
    throw new DomainError('sweep.file-unreadable', describeFailure(file, 'input', error));
  });
  const document = parsed(bytes.toString('utf8'));
  if (document['format'] !== FORMATS[format])
    throw new DomainError('sweep.file-invalid', { reason: `its format is not ${FORMATS[format]}` });
  const { sweeps } = document;
  if (!Array.isArray(sweeps) || !sweeps.every((one) => typeof one === 'object' && one !== null))
    throw new DomainError('sweep.file-invalid', { reason: 'it has no list of sweeps' });
  return sweeps as Record<string, unknown>[];
}

function parsed(text: string): Record<string, unknown> {
  try {
    const document: unknown = JSON.parse(text);
    if (typeof document === 'object' && document !== null) return document as Record<string, unknown>;
  } catch {
    // It is said below.
  }
  throw new DomainError('sweep.file-invalid', { reason: 'it is not a JSON object' });
}

function documentOf(entry: PlannedEntry | SignedEntry): object {
  const { id, address, number, asset, amount, rawDataHex } = entry;
  const signature = 'signature' in entry ? { signature: entry.signature } : {};
  const energy = 'energy' in entry ? { energy: Number(entry.energy) } : {};
  const takes = { bandwidth: bytesOf(rawDataHex), ...energy };
  return { id, address, number, asset, amount: amount.toString(), takes, raw_data_hex: rawDataHex, ...signature };
}

function entryOf(sweep: Record<string, unknown>, at: number): SweepEntry {
  const { number, asset } = sweep;
  const known = ASSETS.find((one) => one === asset);
  if (!Number.isInteger(number) || (number as number) < 0 || (number as number) > MOST_NUMBER)
    throw wrong('number', at);
  if (!known) throw wrong('asset', at);
  return {
    id: textIn(sweep, 'id', UUID, at),
    address: textIn(sweep, 'address', /^T[1-9A-HJ-NP-Za-km-z]{33}$/, at),
    number: number as number,
    asset: known,
    amount: BigInt(textIn(sweep, 'amount', DIGITS, at)),
    rawDataHex: textIn(sweep, 'raw_data_hex', HEX, at),
  };
}

function textIn(sweep: Record<string, unknown>, name: string, form: RegExp, at: number): string {
  const value = sweep[name];
  if (typeof value !== 'string' || !form.test(value)) throw wrong(name, at);
  return value;
}

function wrong(name: string, at: number): DomainError {
  return new DomainError('sweep.file-invalid', { reason: `${name} of its sweep ${at + 1} is missing or malformed` });
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
