import { formatTrx } from '../../common/money/sun';
import { formStateOf } from '../http/form-state';
import { PostForm } from '../layout/post-form';
import { Badge, Facts, Instant } from '../layout/values';
import { MONEY_MESSAGES } from '../messages/money.messages';
import { USER_MESSAGES } from '../messages/user.messages';
import { BalanceTiles } from '../money/balance.page';
import { HoldTable } from '../money/hold-table';
import { LedgerTable } from '../money/ledger-table';
import { MovementForm } from './movement.form';
import { SettingsFields, ShownSettings } from './settings-fields';
import { refilledSettings, settingsOf } from './settings-form';
import { UserAccess } from './user-access';
import { userPath } from './user-by-id.pipe';
import type { UserPageProps } from './user-page.props';
import { UserSubscriptions } from './user-subscriptions';

export function UserPage(props: UserPageProps) {
  const { pageContext, user, balance, holds, ledger, formState } = props;
  const messages = USER_MESSAGES[pageContext.locale];
  const money = MONEY_MESSAGES[pageContext.locale];
  const path = userPath(user);
  return (
    <>
      <h1>{user.email}</h1>
      <UserFacts {...props} />
      <p class="buttons">
        <a href={`${path}/tokens`}>{messages.tokens}</a>
        <a href={`/panel/operator/orders?user=${encodeURIComponent(user.email)}`}>{messages.orders}</a>
        <a href={`/panel/operator/audit-log?subject=${encodeURIComponent(`user ${user.email}`)}`}>{messages.log}</a>
      </p>
      <h2>{messages.money}</h2>
      <BalanceTiles pageContext={pageContext} balance={balance} />
      <MovementForm pageContext={pageContext} path={path} messages={messages} {...formStateOf('movement', formState)} />
      <h2 id="holds">{money.holds}</h2>
      <HoldTable
        pageContext={pageContext}
        page={holds}
        orderPath="/panel/operator/orders"
        empty={money.noHoldsOfUser}
      />
      <h2 id="subscriptions">{messages.subscriptions}</h2>
      <UserSubscriptions {...props} path={path} />
      <h2>{messages.settings}</h2>
      <SettingsForm {...props} path={path} />
      <h2>{messages.signIn}</h2>
      <UserAccess pageContext={pageContext} user={user} path={path} />
      <h2 id="ledger">{messages.ledger}</h2>
      <LedgerTable
        pageContext={pageContext}
        ledger={ledger}
        orderPath="/panel/operator/orders"
        empty={money.noLedgerOfUser}
      />
    </>
  );
}

function SettingsForm({ pageContext, user, priced, formState, path }: UserPageProps & { path: string }) {
  const messages = USER_MESSAGES[pageContext.locale];
  const { form, problem } = formStateOf('settings', formState);
  return (
    <PostForm pageContext={pageContext} action={path} class="narrow" label={messages.settings} problem={problem}>
      <ShownSettings shown={settingsOf(user)} priced={priced} />
      <SettingsFields
        messages={messages}
        typed={form ? refilledSettings(form, user) : settingsOf(user)}
        priced={priced}
      />
      <button type="submit">{messages.save}</button>
    </PostForm>
  );
}

function UserFacts({ pageContext, user, priced }: UserPageProps) {
  const messages = USER_MESSAGES[pageContext.locale];
  const disabled = user.disabledAt !== null;
  return (
    <Facts
      facts={[
        [messages.name, user.name],
        [
          messages.state,
          <Badge key="state" tone={disabled ? 'bad' : 'good'}>
            {disabled ? messages.disabled : messages.active}
          </Badge>,
        ],
        [messages.role, user.operator ? messages.operator : messages.user],
        ...(priced
          ? [
              [
                messages.unitPrice,
                user.unitPriceSun === null ? messages.default : formatTrx(user.unitPriceSun),
              ] as const,
            ]
          : []),
        [messages.rateLimit, user.rateLimitPerMinute ?? messages.default],
        [messages.created, <Instant key="created" at={user.createdAt} />],
      ]}
    />
  );
}
