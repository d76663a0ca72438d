import { createHash } from 'node:crypto';
import type { KeySettings } from './configuration/configuration';
import { type Entry, movedBy } from './journal/entry';
import type { Journal } from './journal/journal';
import { Limits } from './policy/limits';
import { checkAllowed } from './policy/policy';
import { readTransaction } from './protobuf/transaction.reader';
import { reasonOf, RefusalError } from './refusal';
import { endsWithin } from './sources/ends.within';
import type { SigningKey } from './sources/signing.key';
import { type KeyHealth, KeyTrial } from './sources/key.trial';

/** KMS takes as many. A vote for 30 witnesses has about 1,000. */
const MOST_RAW_BYTES = 4_096;
const HEX = /^(?:[0-9a-f]{2})+$/i;

export interface SignRequest {
  readonly key: string;
  readonly rawDataHex: string;
}
export type SignResult = { readonly txid: string; readonly signature: string } | RefusalError;

export interface OpenedKey {
  readonly settings: KeySettings;
  readonly key: SigningKey;
}

interface Held extends OpenedKey {
  readonly limits: Limits;
  readonly trial: KeyTrial;
}

/** Reads what it is to sign, holds it against the rule of the key, and gives out nothing that the log does not have. */
export class Signer {
  private readonly keys: ReadonlyMap<string, Held>;

  constructor(
    keys: readonly OpenedKey[],
    private readonly journal: Journal,
  ) {
    this.keys = new Map(
      keys.map((one) => [
        one.settings.id,
        { ...one, limits: new Limits(one.settings), trial: new KeyTrial(one.key) } satisfies Held,
      ]),
    );
    for (const { key, txid, kind, amountSun, atMs } of journal.recent)
      this.keys.get(key)?.limits.restore({ txid, kind, amountSun: amountSun ?? 0n }, atMs);
  }

  /** In the order of the requests, which take their parts of a limit in this order too. */
  sign(requests: readonly SignRequest[]): Promise<SignResult[]> {
    return Promise.all(
      requests.map((request) =>
        this.signOne(request).catch((error: unknown) =>
          error instanceof RefusalError ? error : new RefusalError('backend', reasonOf(error)),
        ),
      ),
    );
  }

  async health(): Promise<{ ok: boolean; keys: readonly KeyHealth[] }> {
    const keys = await Promise.all(
      [...this.keys.values()].map(async ({ settings, trial }) => ({ id: settings.id, ...(await trial.result()) })),
    );
    return { ok: this.journal.isWritable && keys.every(({ ok }) => ok), keys };
  }

  /** Nothing is awaited before the limits have counted it. */
  private async signOne({ key: id, rawDataHex }: SignRequest): Promise<SignResult> {
    const held = this.keys.get(id);
    if (!held) throw new RefusalError('unknown_key', 'the configuration has no key of this id');
    if (!HEX.test(rawDataHex) || rawDataHex.length > 2 * MOST_RAW_BYTES)
      throw new RefusalError('unreadable', `raw_data_hex must be 1 to ${MOST_RAW_BYTES} bytes in hex`);
    const rawData = Buffer.from(rawDataHex, 'hex');
    const transaction = readTransaction(rawData);
    checkAllowed(held.settings, transaction, Date.now());
    const digest = createHash('sha256').update(rawData).digest();
    const entry = {
      key: id,
      txid: digest.toString('hex'),
      kind: transaction.action.kind,
      ...movedBy(transaction.action),
    };
    const reservation = held.limits.reserve({ ...entry, amountSun: entry.amountSun ?? 0n }, this.journal.nowMs());
    try {
      const [signature, atMs] = await this.signAndLog(held.key, entry, rawData, digest);
      reservation.logged(atMs);
      return { txid: entry.txid, signature: signature.toString('hex') };
    } catch (error) {
      reservation.failed();
      throw error;
    }
  }

  /** A key in memory cannot fail, so its line is written meanwhile. The log has no line of what another one has not signed. */
  private async signAndLog(
    key: SigningKey,
    entry: Omit<Entry, 'atMs'>,
    rawData: Buffer,
    digest: Buffer,
  ): Promise<[Buffer, number]> {
    if (!key.isLocal) return [await endsWithin(key.sign(rawData, digest)), await this.journal.append(entry)];
    const [atMs, signature] = await Promise.all([this.journal.append(entry), key.sign(rawData, digest)]);
    return [signature, atMs];
  }
}
