import { formatTrx } from '../../common/money/sun';
import type { UserRecord } from '../../users/user.service';
import { Facts, GetButton, Instant, PostButton, PostForm, useMessages } from '../layout/components';
import { SettingsFields, ShownSettings } from './settings-fields';
import { refilledSettings, settingsOf } from './settings-form';
import { userPath } from './user-by-id.pipe';
import { UserFrame } from './user-frame';
import { formStateOf, type UserAccessProps } from './user-page.props';

/** What a user may do, and how to get in. */
export function UserAccessPage(props: UserAccessProps) {
  const { user } = props;
  const messages = useMessages('user');
  const path = userPath(user);
  return (
    <UserFrame {...props} tab="access">
      <UserFacts {...props} />
      <h2>{messages.settings}</h2>
      <SettingsForm {...props} path={path} />
      <h2>{messages.signIn}</h2>
      <UserAccess user={user} path={path} />
    </UserFrame>
  );
}

function SettingsForm({ user, priced, formState, path }: UserAccessProps & { path: string }) {
  const messages = useMessages('user');
  const { form, problem } = formStateOf('settings', formState);
  return (
    <PostForm
      action={path}
      class="narrow"
      label={messages.settings}
      form={form ? refilledSettings(form, user) : settingsOf(user)}
      problem={problem}
    >
      <ShownSettings shown={settingsOf(user)} priced={priced} />
      <SettingsFields priced={priced} />
      <button type="submit">{messages.save}</button>
    </PostForm>
  );
}

function UserFacts({ user, priced }: UserAccessProps) {
  const messages = useMessages('user');
  return (
    <Facts
      facts={[
        [messages.name, user.name],
        [messages.role, user.operator ? messages.operator : messages.user],
        priced && [messages.unitPrice, user.unitPriceSun === null ? messages.default : formatTrx(user.unitPriceSun)],
        [messages.rateLimit, user.rateLimitPerMinute ?? messages.default],
        [messages.created, <Instant key="created" at={user.createdAt} />],
      ]}
    />
  );
}

/** Invitation links, sessions, and whether the user is disabled. */
function UserAccess({ user, path }: { user: UserRecord; path: string }) {
  const messages = useMessages('user');
  const disabled = user.disabledAt !== null;
  return (
    <>
      {!disabled && <p>{messages.inviteText}</p>}
      <div class="buttons">
        {!disabled && <PostButton action={`${path}/invitation`} text={messages.invite} />}
        {!disabled && (
          <PostButton action={`${path}/invitation/withdraw`} class="secondary" text={messages.withdrawLink} />
        )}
        <PostButton action={`${path}/sessions`} class="secondary" text={messages.endSessions} />
      </div>
      <p>
        <a href={`${path}/second-factor`}>{useMessages('access').ofUser}</a>
      </p>
      <p>{disabled ? messages.enableText : messages.disableText}</p>
      {disabled ? (
        <PostButton action={`${path}/state`} name="state" value="enabled" text={messages.enable} />
      ) : (
        <GetButton action={`${path}/disable`} class="danger" text={messages.disable} />
      )}
    </>
  );
}
