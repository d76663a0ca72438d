import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { KnownNetworkRepository } from '../../auth/known-networks/known-network.repository';
import { SessionService } from '../../auth/sessions/session.service';
import { clientAddress, networkOf } from '../../common/http/client-ip';
import type { Identity } from '../../users/user-record';
import { SignInRequiredError } from '../http/panel-errors';
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
   * `passwordAt`: when the password was given, unless it was just now.
   * False when all sessions of the user were ended since the password was looked at, or the user has a second factor that was not given.
   */
  async start(
    request: Request,
    identity: Identity,
    secondFactor: boolean,
    passwordAt: Date | null = null,
  ): Promise<boolean> {
    await new Promise<void>((resolve, reject) => {
      request.session.regenerate((error) => (error ? reject(error as Error) : resolve()));
    });
    const { session, sessionID } = request;
    session.userId = identity.userId;
    const network = networkOf(clientAddress(request));
    const origin = { network, browser: request.get('user-agent') ?? '', secondFactor, passwordAt };
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

  /** When the password was given last. @throws SignInRequiredError when the session has ended meanwhile */
  async passwordAt({ sessionID }: Request): Promise<Date> {
    const at = await this.sessions.passwordAt(sessionID);
    if (!at) throw new SignInRequiredError();
    return at;
  }

  async end(request: Request): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      request.session.destroy((error) => (error ? reject(error as Error) : resolve()));
    });
  }
}
