export const DEPOSITS = '/panel/operator/deposits';
export const RATE = `${DEPOSITS}/rate`;

export function creditPath({ id }: { readonly id: string }): string {
  return `${DEPOSITS}/${id}/credit`;
}
