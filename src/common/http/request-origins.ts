import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { Clock } from '../clock';

/** While requests come as PUBLIC_URL says, others are from callers that go past the proxy. */
const BESIDE_MS = 10 * 60_000;
/** Callers write their Host themselves. */
const LONGEST = 200;

/**
 * Compares the scheme and host of requests with PUBLIC_URL. Only requests with a session or a good token count: strangers send any Host.
 * PUBLIC_URL is where the panel is, and the API may be called at other names too, from inside as well: of requests with a token only
 * those to the host of PUBLIC_URL say something.
 */
@Injectable()
export class RequestOrigins {
  private readonly expected: string | null;
  private matchedMs: number | null = null;
  private seen: { readonly origin: string; readonly atMs: number } | null = null;

  constructor(
    @Inject(CONFIGURATION) { http: { publicUrl } }: Configuration,
    private readonly clock: Clock,
  ) {
    this.expected = publicUrl === undefined ? null : withoutPort(publicUrl);
  }

  note(request: Request, by: 'session' | 'token'): void {
    if (this.expected === null) return;
    const origin = `${request.protocol}://${request.host ?? ''}`;
    const nowMs = this.clock.monotonicMs();
    if (withoutPort(origin) === this.expected) this.matchedMs = nowMs;
    else if (by === 'session' || hostOf(origin) === hostOf(this.expected))
      this.seen = { origin: URL.canParse(origin) ? new URL(origin).origin.slice(0, LONGEST) : '-', atMs: nowMs };
  }

  /** The scheme and host of requests where PUBLIC_URL says otherwise; null while some come as it says. */
  get other(): string | null {
    if (this.seen === null) return null;
    return this.matchedMs === null || this.seen.atMs - this.matchedMs > BESIDE_MS ? this.seen.origin : null;
  }
}

function hostOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname : null;
}

/** Proxies often drop the port. */
function withoutPort(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, hostname } = new URL(url);
  return `${protocol}//${hostname}`;
}
