import type { UserRecord } from '../../users/user.service';
import type { SignedInVisit } from '../http/page-context';
import type { PageOf } from '../layout/pager';
import { TokenTable } from '../tokens/token-list.page';
import type { TokenRow } from '../tokens/token.queries';
import { userPath } from './user-by-id.pipe';
import { USER_WORDS } from '../messages/user.messages';

interface Props {
  readonly visit: SignedInVisit;
  readonly user: UserRecord;
  readonly page: PageOf<TokenRow>;
}

export function UserTokensPage({ visit, user, page }: Props) {
  const words = USER_WORDS[visit.locale];
  return (
    <>
      <h1>{words.tokens}</h1>
      <p>
        <a href={userPath(user)}>{user.email}</a>
      </p>
      <TokenTable visit={visit} page={page} path={`${userPath(user)}/tokens`} empty={words.noTokens} />
    </>
  );
}
