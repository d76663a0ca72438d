import type { Answer } from './order-world';

/** What callers were told of their orders, by key: whatever has happened since, the same key is told the same. */
export class ToldAnswers {
  /** What a later answer said otherwise. */
  readonly contradictions: string[] = [];
  private readonly told = new Map<string, string>();

  get count(): number {
    return this.told.size;
  }

  /** True of an answer about an order. One without is a refusal, after which nothing is promised. */
  hear(key: string, { status, headers, text, body }: Answer): boolean {
    const id = headers.get('x-delegation-id');
    if (id === null) return false;
    const [code, state] = [headers.get('x-error-code'), headers.get('x-delegation-state')];
    const answer = JSON.stringify({ id, status, text, txId: body['txid'], code, state });
    const before = this.told.get(key) ?? answer;
    if (answer !== before) this.contradictions.push(`${key}: ${answer} after ${before}`);
    this.told.set(key, before);
    return true;
  }
}
