import type { UserRecord } from '../../users/user.service';
import type { SignedInVisit } from '../http/page-context';
import { PostForm } from '../layout/post-form';
import { USER_WORDS } from '../messages/user.messages';

/** Who may come in: links, sessions, and whether the user may at all. */
export function UserAccess({ visit, user, path }: { visit: SignedInVisit; user: UserRecord; path: string }) {
  const words = USER_WORDS[visit.locale];
  const disabled = user.disabledAt !== null;
  return (
    <>
      {!disabled && <p>{words.inviteText}</p>}
      <div class="buttons">
        {!disabled && (
          <PostForm visit={visit} action={`${path}/invitation`}>
            <button type="submit">{words.invite}</button>
          </PostForm>
        )}
        {!disabled && (
          <PostForm visit={visit} action={`${path}/invitation/withdraw`}>
            <button type="submit" class="secondary">
              {words.withdrawLink}
            </button>
          </PostForm>
        )}
        <PostForm visit={visit} action={`${path}/sessions`}>
          <button type="submit" class="secondary">
            {words.endSessions}
          </button>
        </PostForm>
      </div>
      <p>{disabled ? words.enableText : words.disableText}</p>
      {disabled ? (
        <PostForm visit={visit} action={`${path}/state`}>
          <button type="submit" name="state" value="enabled">
            {words.enable}
          </button>
        </PostForm>
      ) : (
        <form method="get" action={`${path}/disable`}>
          <button type="submit" class="danger">
            {words.disable}
          </button>
        </form>
      )}
    </>
  );
}
