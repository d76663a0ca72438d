import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { isNeverAllowed } from '../allowed-address';
import { isAddressRefusal, WebhookAgents } from '../webhook-agents';
import type { NoAnswerReason } from '../webhooks.entities';
import { readRetryAfterMs } from './schedule';

/** Injection token of a number: milliseconds that a receiver has to answer, from the look-up of its name on. */
export const ANSWER_WITHIN_MS = Symbol('ANSWER_WITHIN_MS');

/** An answer's body is read, so that its sender can finish, no further than this, and thrown away. */
const MOST_ANSWER_BYTES = 64 * 1024;
const MOST_HEADER_BYTES = 16 * 1024;

export interface AttemptOutcome {
  /** Status of the answer; null without one. */
  readonly status: number | null;
  /** Why there was none. */
  readonly reason: NoAnswerReason | null;
  readonly tookMs: number;
  readonly retryAfterMs: number | null;
}

export interface OutgoingWebhook {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One POST to an address that somebody else chose. Redirects are answers like any other; no connection is kept. */
@Injectable()
export class WebhookClient {
  constructor(
    private readonly agents: WebhookAgents,
    private readonly clock: Clock,
    @Inject(ANSWER_WITHIN_MS) private readonly answerWithinMs: number,
  ) {}

  /** Never throws. `signal` breaks it off; `sent` is called when all of the request has been handed to the network. */
  send(webhook: OutgoingWebhook, signal: AbortSignal, sent: () => void = () => undefined): Promise<AttemptOutcome> {
    const startedMs = this.clock.monotonicMs();
    const tookMs = () => Math.round(this.clock.monotonicMs() - startedMs);
    const deadline = AbortSignal.timeout(this.answerWithinMs);
    return new Promise((resolve) => {
      let outcome: AttemptOutcome | null = null;
      const fail = (reason: NoAnswerReason) => {
        outcome ??= { status: null, reason, tookMs: tookMs(), retryAfterMs: null };
      };
      const request = this.open(webhook, AbortSignal.any([deadline, signal]));
      if (request === null) {
        fail('not_allowed');
        return resolve(outcome!);
      }
      request.on('finish', sent);
      request.on('response', (response) => {
        const retryAfterMs = readRetryAfterMs(response.headers['retry-after'], this.clock.now().getTime());
        outcome ??= { status: response.statusCode!, reason: null, tookMs: tookMs(), retryAfterMs };
        discard(response);
      });
      // An answer that asks for another protocol is none.
      request.on('upgrade', (_, socket) => socket.destroy());
      request.on('error', (error) => {
        if (deadline.aborted) return fail('timeout');
        fail(isLiteral(webhook.url) && isAddressRefusal(error) ? 'not_allowed' : 'unreachable');
      });
      request.on('close', () => {
        fail('unreachable');
        resolve(outcome!);
      });
      request.end(webhook.body);
    });
  }

  /** Null for an address that is never allowed: a literal one is not looked up. */
  private open({ url, headers, body }: OutgoingWebhook, signal: AbortSignal): ClientRequest | null {
    const target = new URL(url);
    if (isNeverAllowed(addressOf(target))) return null;
    const open = target.protocol === 'https:' ? httpsRequest : httpRequest;
    return open(target, {
      method: 'POST',
      agent: this.agents.for(target),
      lookup: this.agents.lookup,
      signal,
      maxHeaderSize: MOST_HEADER_BYTES,
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'energy-delegation-webhooks/1.0',
        accept: '*/*',
      },
    });
  }
}

const addressOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '');

/** A name that leads to a refused address reads as unreachable: or it would tell how names of an inner network resolve. */
function isLiteral(url: string): boolean {
  return isIP(addressOf(new URL(url))) !== 0;
}

function discard(response: IncomingMessage): void {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_ANSWER_BYTES) response.destroy();
  });
  // The status is known: what becomes of the rest does not matter.
  response.on('error', () => undefined);
}
