/** Singular or plural by the count: `1 order`, `2 orders`. A number that is formatted elsewhere comes as text. */
export function plural(count: number | bigint | string, one: string, many: string): string {
  return `${count} ${String(count) === '1' ? one : many}`;
}
