import type { ListedToken } from '../../auth/tokens/token-list.repository';
import type { UserRecord } from '../../users/user.service';
import { type PageOf, useMessages } from '../layout/components';
import { TokenTable } from '../tokens/token-list.page';
import { userPath } from './user-by-id.pipe';

export function UserTokensPage({ user, page }: { user: UserRecord; page: PageOf<ListedToken> }) {
  const messages = useMessages('user');
  return (
    <>
      <h1>{messages.tokens}</h1>
      <p>
        <a href={userPath(user)}>{user.email}</a>
      </p>
      <TokenTable page={page} path={`${userPath(user)}/tokens`} empty={messages.noTokens} />
    </>
  );
}
