import type { UserRecord } from '../../users/user.service';
import type { Balance } from '../../balance/balance.service';
import type { LedgerEntryView } from '../../balance/ledger.service';
import { formatTrx } from '../../common/money/sun';
import type { SignedInVisit } from '../http/page-context';
import { PostForm } from '../layout/post-form';
import type { PageOf } from '../layout/pager';
import { Badge, Facts, Instant } from '../layout/values';
import { BalanceTiles } from '../money/balance.page';
import { LedgerTable } from '../money/ledger-table';
import { HoldTable } from '../money/hold-table';
import type { HoldRow, SubscriptionRow } from '../money/money.queries';
import { MONEY_WORDS } from '../messages/money.messages';
import { userPath } from './user-by-id.pipe';
import { type Attempt, attemptAt } from '../http/form-state';
import { MovementForm } from './movement.form';
import { SettingsFields, ShownSettings } from './settings-fields';
import { refilledSettings, settingsOf } from './settings-form';
import { UserAccess } from './user-access';
import { UserSubscriptions } from './user-subscriptions';
import { USER_WORDS } from '../messages/user.messages';

export interface UserPageProps {
  readonly visit: SignedInVisit;
  readonly user: UserRecord;
  /** Accounts have a price of their own: not in every variant. */
  readonly priced: boolean;
  readonly balance: Balance;
  readonly holds: PageOf<HoldRow>;
  readonly subscriptions: PageOf<SubscriptionRow>;
  readonly ledger: PageOf<LedgerEntryView>;
  readonly attempt?: Attempt;
}

export function UserPage(props: UserPageProps) {
  const { visit, user, balance, holds, ledger, attempt } = props;
  const words = USER_WORDS[visit.locale];
  const money = MONEY_WORDS[visit.locale];
  const path = userPath(user);
  return (
    <>
      <h1>{user.email}</h1>
      <UserFacts {...props} />
      <p class="buttons">
        <a href={`${path}/tokens`}>{words.tokens}</a>
        <a href={`/panel/operator/orders?user=${encodeURIComponent(user.email)}`}>{words.orders}</a>
        <a href={`/panel/operator/audit-log?subject=${encodeURIComponent(`user ${user.email}`)}`}>{words.log}</a>
      </p>
      <h2>{words.money}</h2>
      <BalanceTiles visit={visit} balance={balance} />
      <MovementForm visit={visit} path={path} words={words} {...attemptAt('movement', attempt)} />
      <h2 id="holds">{money.holds}</h2>
      <HoldTable visit={visit} page={holds} orderPath="/panel/operator/orders" empty={money.noHoldsOfUser} />
      <h2 id="subscriptions">{words.subscriptions}</h2>
      <UserSubscriptions {...props} path={path} />
      <h2>{words.settings}</h2>
      <SettingsForm {...props} path={path} />
      <h2>{words.signIn}</h2>
      <UserAccess visit={visit} user={user} path={path} />
      <h2 id="ledger">{words.ledger}</h2>
      <LedgerTable visit={visit} ledger={ledger} orderPath="/panel/operator/orders" empty={money.noLedgerOfUser} />
    </>
  );
}

function SettingsForm({ visit, user, priced, attempt, path }: UserPageProps & { path: string }) {
  const words = USER_WORDS[visit.locale];
  const { form, problem } = attemptAt('settings', attempt);
  return (
    <PostForm visit={visit} action={path} class="narrow" label={words.settings} problem={problem}>
      <ShownSettings shown={settingsOf(user)} priced={priced} />
      <SettingsFields words={words} typed={form ? refilledSettings(form, user) : settingsOf(user)} priced={priced} />
      <button type="submit">{words.save}</button>
    </PostForm>
  );
}

function UserFacts({ visit, user, priced }: UserPageProps) {
  const words = USER_WORDS[visit.locale];
  const disabled = user.disabledAt !== null;
  return (
    <Facts
      facts={[
        [words.name, user.name],
        [
          words.state,
          <Badge key="state" tone={disabled ? 'bad' : 'good'}>
            {disabled ? words.disabled : words.active}
          </Badge>,
        ],
        [words.role, user.operator ? words.operator : words.user],
        ...(priced
          ? [[words.unitPrice, user.unitPriceSun === null ? words.default : formatTrx(user.unitPriceSun)] as const]
          : []),
        [words.rateLimit, user.rateLimitPerMinute ?? words.default],
        [words.created, <Instant key="created" at={user.createdAt} />],
      ]}
    />
  );
}
