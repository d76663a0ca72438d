import { useUserVisit } from '../layout/current-visit';

/** For operators, to the user's page; a customer reads only the own address. */
export function UserLink({ user: { user_id: id, user } }: { user: { user_id: string; user: string } }) {
  const { operator } = useUserVisit().user;
  return operator ? (
    <a class="clip" title={user} href={`/panel/operator/users/${id}`}>
      {user}
    </a>
  ) : (
    <>{user}</>
  );
}
