import type { UserRecord } from '../../users/user.service';
import { GetButton, PostButton, useMessages } from '../layout/components';

/** Invitation links, sessions, and whether the user is disabled. */
export function UserAccess({ user, path }: { user: UserRecord; path: string }) {
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
