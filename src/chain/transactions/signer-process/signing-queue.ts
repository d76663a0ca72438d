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
 * Requests of the same moment go to the signer together, those that come meanwhile with the next POST. One without an answer is sent once
 * more, for each key by itself: a key whose device hangs must not keep the others from signing. The bytes are the same, and so is the
 * transaction.
 */
export class SigningQueue {
  private waiting: Waiting[] = [];
  private isUnderWay = false;

  constructor(
    private readonly connection: Pick<SignerConnection, 'ask'>,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /** @throws NoSignerAnswerError */
  sign(key: string, rawDataHex: string): Promise<SignerResult> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ key, rawDataHex, resolve, reject });
      if (this.isUnderWay) return;
      this.isUnderWay = true;
      setImmediate(() => void this.goOn());
    });
  }

  private async goOn(): Promise<void> {
    while (this.waiting.length > 0) await this.post(this.waiting.splice(0, MOST_TOGETHER));
    this.isUnderWay = false;
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
