import type { UserRecord } from '../../users/user.service';
import type { SignedInPageContext } from '../http/page-context';
import { PostForm } from '../layout/post-form';
import { ACCESS_MESSAGES } from '../messages/access.messages';
import { USER_MESSAGES } from '../messages/user.messages';

/** Invitation links, sessions, and whether the user is disabled. */
export function UserAccess({
  pageContext,
  user,
  path,
}: {
  pageContext: SignedInPageContext;
  user: UserRecord;
  path: string;
}) {
  const messages = USER_MESSAGES[pageContext.locale];
  const disabled = user.disabledAt !== null;
  return (
    <>
      {!disabled && <p>{messages.inviteText}</p>}
      <div class="buttons">
        {!disabled && (
          <PostForm pageContext={pageContext} action={`${path}/invitation`}>
            <button type="submit">{messages.invite}</button>
          </PostForm>
        )}
        {!disabled && (
          <PostForm pageContext={pageContext} action={`${path}/invitation/withdraw`}>
            <button type="submit" class="secondary">
              {messages.withdrawLink}
            </button>
          </PostForm>
        )}
        <PostForm pageContext={pageContext} action={`${path}/sessions`}>
          <button type="submit" class="secondary">
            {messages.endSessions}
          </button>
        </PostForm>
      </div>
      <p>
        <a href={`${path}/second-factor`}>{ACCESS_MESSAGES[pageContext.locale].ofUser}</a>
      </p>
      <p>{disabled ? messages.enableText : messages.disableText}</p>
      {disabled ? (
        <PostForm pageContext={pageContext} action={`${path}/state`}>
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
