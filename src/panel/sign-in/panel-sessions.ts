import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { KnownNetworkRepository } from '../../auth/known-networks/known-network.repository';
import { SessionService } from '../../auth/sessions/session.service';
import { networkOf } from '../../common/http/client-ip';
import type { Identity } from '../../users/user-record';
import { lifetimeMsOf } from '../http/session.store';
import { KnownBrowsers } from './known-browsers';

@Injectable()
export class PanelSessions {
  constructor(
    private readonly sessions: SessionService,
    private readonly browsers: KnownBrowsers,
    private readonly networks: KnownNetworkRepository,
  ) {}

  /**
   * A new id at sign-in: one that somebody planted before is worth nothing afterwards.
   * False when all sessions of the user were ended since the password was looked at, or the user has a second factor that was not given.
   */
  async start(request: Request, identity: Identity, secondFactor: boolean): Promise<boolean> {
    await new Promise<void>((resolve, reject) => {
      request.session.regenerate((error) => (error ? reject(error as Error) : resolve()));
    });
    const { session, sessionID } = request;
    session.userId = identity.userId;
    const network = networkOf(request.ip ?? '');
    const origin = { network, browser: request.get('user-agent') ?? '', secondFactor };
    const begun = await this.sessions.start(sessionID, identity, session, lifetimeMsOf(session), origin);
    // Nobody's again: nothing is saved, and no cookie is sent.
    if (!begun) {
      delete session.userId;
      return false;
    }
    this.browsers.remember(request, identity.email);
    await this.networks.remember(identity.userId, network);
    return true;
  }

  async end(request: Request): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      request.session.destroy((error) => (error ? reject(error as Error) : resolve()));
    });
  }
}
