/** An error and what caused it in one line for an operator, without stacks. */
export function describeError(error: unknown): string {
  // Connection refused on several addresses of one name comes as one of these, without a message.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(describeError).join('; ');
  if (!(error instanceof Error)) return String(error);
  const own = error.message || error.name;
  if (error.cause === undefined) return own;
  const cause = describeError(error.cause);
  return own.includes(cause) ? own : `${own} (${cause})`;
}
