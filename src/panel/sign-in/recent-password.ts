import { Injectable } from '@nestjs/common';
import { PasswordService } from '../../auth/passwords/password.service';
import { SessionService } from '../../auth/sessions/session.service';
import { SignInLog } from '../../auth/sign-in-log';
import { type Form, rawTextOf } from '../http/form';
import type { PanelRequest, UserVisit } from '../http/visit';
import { PasswordAgainError } from '../http/panel-errors';
import { PASSWORD_AGAIN_FIELD } from '../http/password-again.page';
import { SignInThrottle } from './sign-in.throttle';

/** What an open browser alone must not be enough for: the password was given in its session within ten minutes, or comes with the form. */
@Injectable()
export class RecentPassword {
  constructor(
    private readonly sessions: SessionService,
    private readonly passwords: PasswordService,
    private readonly throttle: SignInThrottle,
    private readonly log: SignInLog,
  ) {}

  /** @throws PasswordAgainError with nothing done. @throws PanelError throttled */
  async require(request: PanelRequest, visit: UserVisit, form: Form): Promise<void> {
    if (await this.sessions.isPasswordRecent(request.sessionID)) return;
    const given = rawTextOf(form, PASSWORD_AGAIN_FIELD);
    if (given === '') throw new PasswordAgainError();
    const { user, address, messages } = visit;
    const looked = await this.throttle.again(request, visit, () => this.passwords.verify(user.id, given));
    if (!looked) {
      this.log.failed(user.email, address, 'password-again');
      throw new PasswordAgainError({ field: PASSWORD_AGAIN_FIELD, text: messages.access.wrongPassword });
    }
    await this.sessions.notePassword(request.sessionID);
  }
}
