import { EventEmitter } from 'node:events';
import type { Pool, PoolClient } from 'pg';
import { PG_POOL } from '../../src/database/sql';
import type { TestApp } from './test-app';

interface WatchedClient {
  readonly connection: EventEmitter;
}

/** What the server answers an instance's statements with: each of these is a line in PostgreSQL's log too. */
export class DatabaseErrors {
  readonly messages: string[] = [];

  constructor({ app }: TestApp) {
    const pool = app.get<Pool & { _clients: PoolClient[] }>(PG_POOL);
    for (const client of pool._clients) this.watch(client);
    pool.on('connect', (client) => this.watch(client));
  }

  private watch(client: PoolClient): void {
    const { connection } = client as unknown as WatchedClient;
    connection.on('errorMessage', ({ message }: Error) => this.messages.push(message));
  }
}
