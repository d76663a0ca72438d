/** `1 order is`, `2 orders are`: the first or the second, by the count. */
export function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
