import { Injectable } from '@nestjs/common';
import { PanelAddress } from '../../common/http/panel-address';
import { bodyOf, ROUTE, type TrialOrder } from './trial-order';

export interface TrialAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  readonly delegationId: string | null;
}

/** Longer than any order waits for its answer. */
const TIMEOUT_MS = 60_000;
const SHOWN = /^(?:x-(?:error-code|delegation-|request-id)|retry-after|ratelimit-)/;

/** Places the order as any program would: over HTTP, with the token, so that what is shown is what a caller gets. */
@Injectable()
export class SendOrder {
  constructor(private readonly address: PanelAddress) {}

  /** `token`: only characters that a header may have. null: no answer came. */
  async send(order: TrialOrder, token: string): Promise<TrialAnswer | null> {
    let response: Response;
    try {
      response = await fetch(`${this.address.ownUrl()}${ROUTE}`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': order.key,
        },
        body: bodyOf(order),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return {
        status: response.status,
        headers: [...response.headers].filter(([name]) => SHOWN.test(name)),
        body: await response.text(),
        delegationId: response.headers.get('x-delegation-id'),
      };
    } catch {
      return null;
    }
  }
}
