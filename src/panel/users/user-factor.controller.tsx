import { Get, Post } from '@nestjs/common';
import { UserAdminService } from '../../admin/user-admin.service';
import { SecondFactorService } from '../../auth/second-factors/second-factor.service';
import type { UserRecord } from '../../users/user.service';
import { operatorOf, ThisVisit, type UserVisit } from '../http/visit';
import { PanelController, PasswordAgain } from '../http/panel-controller.decorator';
import { Page, type Reply, submitAndRedirect } from '../http/reply';
import { confirmationPage, Instant } from '../layout/components';
import { tabPath, UserById, userPath } from './user-by-id.pipe';

/** The second factor of a user who has lost it. */
@PanelController('operator/users/:id/second-factor', 'operator')
export class UserFactorController {
  constructor(
    private readonly factors: SecondFactorService,
    private readonly admin: UserAdminService,
  ) {}

  @Get()
  async confirm(@ThisVisit() visit: UserVisit, @UserById() user: UserRecord): Promise<Reply> {
    const messages = visit.messages.access;
    const { email, back } = visit.messages.user;
    const factor = await this.factors.find(user.id);
    if (!factor) {
      const page = (
        <>
          <h1>{messages.ofUser}</h1>
          <p>{user.email}</p>
          <p>{messages.userWithout}</p>
          <p>
            <a href={tabPath(user, 'access')}>{back}</a>
          </p>
        </>
      );
      return new Page(messages.ofUser, page);
    }
    return confirmationPage({
      title: messages.resetTitle,
      facts: [
        [email, user.email],
        [messages.since, <Instant key="since" at={factor.createdAt} />],
        [messages.recoveryCodes, messages.recoveryLeft(factor.recoveryCodes)],
      ],
      text: messages.resetText,
      action: `${userPath(user)}/second-factor`,
      button: messages.reset,
      back: tabPath(user, 'access'),
    });
  }

  @Post()
  @PasswordAgain()
  reset(@ThisVisit() visit: UserVisit, @UserById() user: UserRecord): Promise<Reply> {
    return submitAndRedirect(visit, tabPath(user, 'access'), async () => {
      await this.admin.resetSecondFactor(operatorOf(visit), user.email);
      return visit.messages.access.wasReset;
    });
  }
}
