/** Where a user's page is. */
export function userPath({ id }: { readonly id: string }): string {
  return `/panel/operator/users/${id}`;
}
