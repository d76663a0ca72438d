import { lookup, type LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { Agent } from 'node:http';
import type { LookupFunction } from 'node:net';
import { callbackify, promisify } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { AddressNotAllowedError, isNeverAllowed } from './allowed-address';

/** For each question to a name server; the whole attempt has its own limit. */
const RESOLVER = { timeout: 3_000, tries: 2 };

/**
 * Connections to addresses that somebody else chose: each address is looked at where it is connected to, behind the name's look-up, so
 * that no name can say one thing when it is checked and another one later. A connection is used once.
 */
@Injectable()
export class WebhookAgents {
  private readonly https: RequestFilteringHttpsAgent;
  private readonly http: RequestFilteringHttpAgent;

  constructor(@Inject(CONFIGURATION) { webhooks }: Configuration) {
    const filter = { keepAlive: false, allowPrivateIPAddress: webhooks.allowPrivate };
    this.https = new RequestFilteringHttpsAgent(filter);
    this.http = new RequestFilteringHttpAgent(filter);
    this.lookup = checked(webhooks.allowPrivate ? lookUpAnywhere : lookUpInDns);
  }

  /** For the request, whose agent looks at what this gives. */
  readonly lookup: LookupFunction;

  for(url: URL): Agent {
    return url.protocol === 'https:' ? this.https : this.http;
  }
}

type LookUp = (hostname: string) => Promise<readonly LookupAddress[]>;

function checked(lookUp: LookUp): LookupFunction {
  const ask = callbackify(lookUp);
  return (hostname, { all }, callback) => {
    ask(hostname, (error, addresses) => {
      if (error) return callback(error, '');
      if (addresses.some(({ address }) => isNeverAllowed(address))) return callback(new AddressNotAllowedError(), '');
      if (all) return callback(null, [...addresses]);
      const [first] = addresses as [LookupAddress];
      callback(null, first.address, first.family);
    });
  };
}

/** Names of one's own network too, those in `/etc/hosts` among them. */
const lookUpAnywhere: LookUp = promisify((hostname: string, callback: Answered) => {
  lookup(hostname, { all: true }, callback);
});
type Answered = (error: Error | null, addresses: LookupAddress[]) => void;

/**
 * By questions over the network: the system's own look-up holds one of the process's four threads while it waits, and four names with
 * a slow server would hold up everybody's.
 */
const lookUpInDns: LookUp = async (hostname) => {
  const resolver = new Resolver(RESOLVER);
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const found = [
    ...addressesOf(ipv4).map((address) => ({ address, family: 4 })),
    ...addressesOf(ipv6).map((address) => ({ address, family: 6 })),
  ];
  if (found.length === 0) throw (ipv4 as PromiseRejectedResult).reason;
  return found;
};

function addressesOf(answer: PromiseSettledResult<string[]>): string[] {
  return answer.status === 'fulfilled' ? answer.value : [];
}

/** Begins the agent's own refusals, which have no code. */
const FILTERED = /^DNS lookup .* is not allowed\./;

export function isAddressRefusal(error: Error): boolean {
  return error instanceof AddressNotAllowedError || FILTERED.test(error.message);
}
