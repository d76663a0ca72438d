/** `1 order is`, `2 orders are`: the first or the second, by the count; a number that is shown in another way comes as a text. */
export function plural(count: number | bigint | string, one: string, many: string): string {
  return `${count} ${String(count) === '1' ? one : many}`;
}
