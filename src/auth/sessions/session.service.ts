import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../database/sql';
import type { Identity } from '../../users/user-record';
import { SessionRepository } from './session.repository';

/** Sessions of the panel, in the database and by its clock: one that ends there has ended on every instance. */
@Injectable()
export class SessionService {
  constructor(private readonly sessions: SessionRepository) {}

  find(id: string): Promise<Record<string, unknown> | null> {
    return this.sessions.findData(keyOf(id));
  }

  /** False when all sessions of the user were ended since the password was verified. */
  start(id: string, identity: Identity, data: object, lifetimeMs: number): Promise<boolean> {
    return this.sessions.start(keyOf(id), identity, data, lifetimeMs);
  }

  /** A session that has ended meanwhile stays ended. */
  save(id: string, data: object, lifetimeMs: number): Promise<void> {
    return this.sessions.save(keyOf(id), data, lifetimeMs);
  }

  prolong(id: string, lifetimeMs: number): Promise<void> {
    return this.sessions.prolong(keyOf(id), lifetimeMs);
  }

  end(id: string): Promise<void> {
    return this.sessions.end(keyOf(id));
  }

  /** Returns how many there were. */
  endAllOf(userId: string, db?: Queryable): Promise<number> {
    return this.sessions.endAllOf(userId, db);
  }

  countOf(userId: string): Promise<number> {
    return this.sessions.countOf(userId);
  }

  sweep(): Promise<void> {
    return this.sessions.deleteEnded();
  }

  readSecret(): Promise<string> {
    return this.sessions.readSecret();
  }
}

/** Only the hash is stored: a copy of the database is no use for signing in. */
function keyOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}
