import { Client, type ClientConfig } from 'pg';
import { CONNECTION_LIMITS, KEEPALIVES } from './connection-limits';

/**
 * What every connection here goes by, whatever the server, the database and the role have as their defaults. A value that a connection
 * asks for at its start comes before all of those. PgBouncer refuses the last three, and is told to ignore them: then the role has them.
 */
export const SESSION_SETTINGS = {
  // Times are read and written as ISO 8601.
  DateStyle: 'ISO, MDY',
  TimeZone: 'UTC',
  // Statements hold quoted texts.
  standard_conforming_strings: 'on',
  // A null in an array is a null, and not the text "NULL".
  array_nulls: 'on',
  // A waiting statement goes on with the row that the other transaction has left: an order would fail on a stricter level.
  default_transaction_isolation: 'read committed',
  // A schema that bears the role's name comes first by default.
  search_path: 'public',
} as const;

/** They are in milliseconds. PgBouncer ignores them, too: then the role has them. */
const LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'] as const;

/** A part of node-postgres that its types do not show. */
interface Startup {
  getStartupConf(): Record<string, string>;
}

/** Tables in another schema: `?options=-c%20search_path%3Dname` in the URL, in any of the forms that the server reads, or `PGOPTIONS`. */
const NAMES_SCHEMA = /search[_-]path\s*=/i;

export class SessionClient extends Client implements Startup {
  /** node-postgres leaves out a limit of 0, and the server would go by its default for the database or the role. */
  private readonly unlimited: Readonly<Record<string, string>>;

  /** A server that is frozen accepts connections and says nothing: without a limit, its next host is never asked. */
  constructor(config: ClientConfig = {}) {
    super({ connectionTimeoutMillis: CONNECTION_LIMITS.connectionTimeoutMillis, ...KEEPALIVES, ...config });
    this.unlimited = Object.fromEntries(LIMITS.filter((name) => config[name] === 0).map((name) => [name, '0']));
  }

  /** Which of the settings it asks for; a schema of its own takes the place of ours. */
  get sessionSettings(): Readonly<Record<string, string>> {
    const { search_path: schema, ...settings } = SESSION_SETTINGS;
    return NAMES_SCHEMA.test(this.configured()['options'] ?? '') ? settings : { ...settings, search_path: schema };
  }

  /** node-postgres calls it for what its first message says. */
  getStartupConf(): Record<string, string> {
    return { ...this.configured(), ...this.sessionSettings };
  }

  /** Which limits it asks for. */
  get sessionLimits(): Readonly<Record<string, string>> {
    const configured = this.configured();
    return Object.fromEntries(LIMITS.flatMap((name) => (configured[name] ? [[name, configured[name]]] : [])));
  }

  private configured(): Record<string, string> {
    return { ...this.unlimited, ...(Client.prototype as unknown as Startup).getStartupConf.call(this) };
  }
}
