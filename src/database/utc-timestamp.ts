/** SQL for a timestamp as ISO 8601 in UTC with its microseconds, which a JavaScript Date would cut off. */
export function utcMicroseconds(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}
