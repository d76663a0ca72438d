import { readResults, type SignerResult } from './signer-answers';
import { NoSignerAnswerError, type SignerConnection } from './signer-connection';

/** As many as the signer takes. */
const MOST_TOGETHER = 100;
const TIMEOUT_MS = 3_000;

interface Waiting {
  readonly key: string;
  readonly rawDataHex: string;
  readonly resolve: (result: SignerResult) => void;
  readonly reject: (error: NoSignerAnswerError) => void;
}

/**
 * Requests of the same moment go to the signer together, those that come meanwhile with the next POST. Requests by other keys than those of
 * a POST that is under way have one of their own at once: a slow key keeps no other waiting. A POST without an answer is sent once more, for
 * each key by itself: a key whose device hangs must not keep the others from signing. The bytes are the same, and so is the transaction.
 */
export class SigningQueue {
  private waiting: Waiting[] = [];
  /** Keys of the POSTs that are under way. */
  private readonly busy = new Set<string>();
  private isPlanned = false;

  constructor(
    private readonly connection: Pick<SignerConnection, 'ask'>,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /** @throws NoSignerAnswerError */
  sign(key: string, rawDataHex: string): Promise<SignerResult> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ key, rawDataHex, resolve, reject });
      if (this.isPlanned) return;
      this.isPlanned = true;
      setImmediate(() => {
        this.isPlanned = false;
        void this.goOn();
      });
    });
  }

  private async goOn(): Promise<void> {
    for (let batch = this.takeFree(); batch.length > 0; batch = this.takeFree()) {
      const keys = new Set(batch.map(({ key }) => key));
      for (const key of keys) this.busy.add(key);
      await this.post(batch);
      for (const key of keys) this.busy.delete(key);
    }
  }

  private takeFree(): Waiting[] {
    const batch = this.waiting.filter(({ key }) => !this.busy.has(key)).slice(0, MOST_TOGETHER);
    const taken = new Set(batch);
    this.waiting = this.waiting.filter((one) => !taken.has(one));
    return batch;
  }

  private async post(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.send(batch, false);
    } catch {
      const byKey = [...Map.groupBy(batch, ({ key }) => key).values()];
      const failures = await Promise.all(byKey.map((some) => this.tryOnceMore(some)));
      const failed = new Map(byKey.map(([one], at) => [one!.key, failures[at] ?? null]));
      this.rejectWaiting(failed, failures.find((one) => one?.isRefused) ?? null);
    }
  }

  /** Those of a key that gave no answer have waited through both time-outs; without a signer all keys are alike. */
  private rejectWaiting(failed: ReadonlyMap<string, NoSignerAnswerError | null>, refused: NoSignerAnswerError | null) {
    const waiting = this.waiting.splice(0);
    for (const one of waiting) {
      const failure = refused ?? failed.get(one.key) ?? null;
      if (failure) one.reject(failure);
      else this.waiting.push(one);
    }
  }

  private async tryOnceMore(batch: readonly Waiting[]): Promise<NoSignerAnswerError | null> {
    try {
      await this.send(batch, true);
      return null;
    } catch (error) {
      const failure = error as NoSignerAnswerError;
      for (const { reject } of batch) reject(failure);
      return failure;
    }
  }

  private async send(batch: readonly Waiting[], alone: boolean): Promise<void> {
    const requests = batch.map(({ key, rawDataHex }) => ({ key, raw_data_hex: rawDataHex }));
    const asked = { path: '/v1/sign', body: { requests }, timeoutMs: this.timeoutMs, alone } as const;
    const results = readResults(await this.connection.ask(asked), batch.length);
    for (const [at, { resolve }] of batch.entries()) resolve(results[at]!);
  }
}
