import type { UserRecord } from '../../users/user.service';
import { useMessages } from '../layout/current-page';
import { PostForm } from '../layout/post-form';

/** Invitation links, sessions, and whether the user is disabled. */
export function UserAccess({ user, path }: { user: UserRecord; path: string }) {
  const messages = useMessages('user');
  const disabled = user.disabledAt !== null;
  return (
    <>
      {!disabled && <p>{messages.inviteText}</p>}
      <div class="buttons">
        {!disabled && (
          <PostForm action={`${path}/invitation`}>
            <button type="submit">{messages.invite}</button>
          </PostForm>
        )}
        {!disabled && (
          <PostForm action={`${path}/invitation/withdraw`}>
            <button type="submit" class="secondary">
              {messages.withdrawLink}
            </button>
          </PostForm>
        )}
        <PostForm action={`${path}/sessions`}>
          <button type="submit" class="secondary">
            {messages.endSessions}
          </button>
        </PostForm>
      </div>
      <p>
        <a href={`${path}/second-factor`}>{useMessages('access').ofUser}</a>
      </p>
      <p>{disabled ? messages.enableText : messages.disableText}</p>
      {disabled ? (
        <PostForm action={`${path}/state`}>
          <button type="submit" name="state" value="enabled">
            {messages.enable}
          </button>
        </PostForm>
      ) : (
        <form method="get" action={`${path}/disable`}>
          <button type="submit" class="danger">
            {messages.disable}
          </button>
        </form>
      )}
    </>
  );
}
