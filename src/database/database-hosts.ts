import { callbackify } from 'node:util';
import type { ClientConfig } from 'pg';
import { urlsOfHosts } from '../../config/database-urls';
import { SessionClient } from './session-client';

/** What a server says of itself with its first answer, and again whenever it changes. */
const STANDBY_PARAMETERS: readonly string[] = ['in_hot_standby', 'default_transaction_read_only'];

/** SQLSTATE of a write that a standby has refused, or that a primary refuses once it is made one. */
const READ_ONLY = '25006';

/** A standby, or a primary that was made read-only: who goes on asking it is refused for ever. */
export class ReadOnlyServerError extends Error {
  /** As a write there would be refused. */
  readonly code = READ_ONLY;

  constructor(host: string) {
    super(`${host} takes no writes: it is a standby, or default_transaction_read_only is on there`);
    this.name = 'ReadOnlyServerError';
  }
}

/**
 * The servers of a `DATABASE_URL` (`postgres://user:password@one:5432,two:5432/energy`), as libpq reads it with
 * `target_session_attrs=read-write`; node-postgres knows one host alone. The one that took writes last is asked first, by all connections
 * of the process; one that cannot be reached, or is a standby, is passed over for the next.
 */
export class DatabaseHosts {
  private static readonly known = new Map<string, DatabaseHosts>();
  private at = 0;

  private constructor(private readonly urls: readonly string[]) {}

  static of(databaseUrl: string): DatabaseHosts {
    const known = DatabaseHosts.known.get(databaseUrl);
    if (known) return known;
    const hosts = new DatabaseHosts(urlsOfHosts(databaseUrl));
    DatabaseHosts.known.set(databaseUrl, hosts);
    return hosts;
  }

  get count(): number {
    return this.urls.length;
  }

  /** The URL of one server. */
  get current(): string {
    return this.urls[this.at]!;
  }

  /** Unless another connection has passed it over before. */
  passOver(url: string): void {
    if (this.current === url) this.at = (this.at + 1) % this.urls.length;
  }
}

/**
 * Connections to whichever server takes writes, for a pool as its `Client`, or by themselves. One that finds no such server fails; the next
 * one tries the next host.
 */
export function clientOf(databaseUrl: string): typeof SessionClient {
  const hosts = DatabaseHosts.of(databaseUrl);
  return class WritableClient extends SessionClient {
    private readonly url: string;
    private isReadOnly = false;

    constructor(config: ClientConfig = {}) {
      const url = hosts.current;
      super({ ...config, connectionString: url });
      this.url = url;
      // A server may drop the connection before its user listens, and an error without a listener ends the process.
      this.on('error', () => undefined);
      const { connection } = this as unknown as { connection: NodeJS.EventEmitter };
      connection.on('parameterStatus', ({ parameterName, parameterValue }: Record<string, string>) => {
        if (!STANDBY_PARAMETERS.includes(parameterName!) || parameterValue !== 'on') return;
        this.isReadOnly = true;
        hosts.passOver(url);
      });
    }

    override connect(): Promise<this>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<this> | void {
      if (!callback) return this.connectToWrite();
      callbackify(() => this.connectToWrite())(callback);
    }

    private async connectToWrite(): Promise<this> {
      try {
        await super.connect();
      } catch (error) {
        hosts.passOver(this.url);
        throw error;
      }
      if (!this.isReadOnly) return this;
      await this.end();
      throw new ReadOnlyServerError(new URL(this.url).host);
    }
  };
}

/** Whether this connection's server has said since that it takes no writes. */
export function isAtStandby(client: object): boolean {
  return (client as { isReadOnly?: unknown }).isReadOnly === true;
}

/** The server that gave this error only reads: another one has taken its place. */
export function isReadOnlyRefusal(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === READ_ONLY;
}

/** One connection to the server that takes writes, whichever of the hosts that is. @throws the last host's error when none does */
export async function connectToWritable(databaseUrl: string, config: ClientConfig = {}): Promise<SessionClient> {
  const WritableClient = clientOf(databaseUrl);
  for (let left = DatabaseHosts.of(databaseUrl).count; ; left--) {
    const client = new WritableClient(config);
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (left <= 1) throw error;
    }
  }
}
