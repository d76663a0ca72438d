import type { SignedInPageContext } from '../http/page-context';

interface Props {
  readonly pageContext: SignedInPageContext;
  readonly user: { readonly user_id: string; readonly user: string };
}

/** For operators, to the user's page; a customer reads only the own address. */
export function UserLink({ pageContext, user: { user_id: id, user } }: Props) {
  return pageContext.user.operator ? <a href={`/panel/operator/users/${id}`}>{user}</a> : <>{user}</>;
}
