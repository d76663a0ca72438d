import type { ListedToken } from '../../auth/tokens/token-list.repository';
import type { UserRecord } from '../../users/user.service';
import type { SignedInPageContext } from '../http/page-context';
import type { PageOf } from '../layout/pager';
import { USER_MESSAGES } from '../messages/user.messages';
import { TokenTable } from '../tokens/token-list.page';
import { userPath } from './user-by-id.pipe';

interface Props {
  readonly pageContext: SignedInPageContext;
  readonly user: UserRecord;
  readonly page: PageOf<ListedToken>;
}

export function UserTokensPage({ pageContext, user, page }: Props) {
  const messages = USER_MESSAGES[pageContext.locale];
  return (
    <>
      <h1>{messages.tokens}</h1>
      <p>
        <a href={userPath(user)}>{user.email}</a>
      </p>
      <TokenTable pageContext={pageContext} page={page} path={`${userPath(user)}/tokens`} empty={messages.noTokens} />
    </>
  );
}
