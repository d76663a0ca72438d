import { Injectable } from '@nestjs/common';
import type { SessionData } from 'express-session';
import { validate as isUuid } from 'uuid';
import { UserService, type UserRecord } from '../../../auth/user.service';
import { BalanceService } from '../../../balance/balance.service';
import { LedgerService } from '../../../balance/ledger.service';
import { RefusalError } from '../../../common/refusal.error';
import { PanelError } from '../../http/panel-errors';
import { Page, SeeOther } from '../../http/reply';
import type { SignedInVisit } from '../../http/visit';
import { refusalText } from '../../i18n/refusal-text';
import { ledgerPage } from '../../money/ledger-page';
import { MoneyQueries } from '../../money/money.queries';
import { UserPage } from './user.page';

/** A user's page, and the way back to it from everything that is done there. */
@Injectable()
export class UserPages {
  constructor(
    private readonly users: UserService,
    private readonly balances: BalanceService,
    private readonly ledger: LedgerService,
    private readonly money: MoneyQueries,
  ) {}

  async get(id: string): Promise<UserRecord> {
    const user = isUuid(id) ? await this.users.find({ id }) : null;
    if (!user) throw new PanelError('not-found');
    return user;
  }

  pathOf({ id }: UserRecord): string {
    return `/panel/operator/users/${id}`;
  }

  /** `after` pages the ledger; of the subscriptions, the first page is shown. */
  async show(visit: SignedInVisit, user: UserRecord, after: string): Promise<Page> {
    const [balance, subscriptions, ledger] = await Promise.all([
      this.balances.getBalance(user.id),
      this.money.subscriptions(user.id, ''),
      ledgerPage(this.ledger, user.id, after),
    ]);
    const shown = { ...subscriptions, next: null };
    return new Page(
      user.email,
      <UserPage visit={visit} user={user} balance={balance} subscriptions={shown} ledger={ledger} />,
    );
  }

  /** Back to the user's page, with what came of it. */
  async carryOut(
    { locale }: SignedInVisit,
    session: Partial<SessionData>,
    user: UserRecord,
    work: () => Promise<string>,
  ): Promise<SeeOther> {
    try {
      session.notice = { kind: 'done', text: await work() };
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      session.notice = { kind: 'refused', text: refusalText(error, locale) };
    }
    return new SeeOther(this.pathOf(user));
  }
}
