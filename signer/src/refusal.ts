export const REFUSAL_CODES = ['unknown_key', 'not_allowed', 'limit_reached', 'unreadable', 'backend'] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** Why a request gets no signature. The caller reads code and message; neither ever has a part of a key. */
export class RefusalError extends Error {
  constructor(
    readonly code: RefusalCode,
    message: string,
  ) {
    super(message);
    this.name = 'RefusalError';
  }
}

/** Why the signer does not start, one sentence for each thing that is wrong. */
export class StartError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'StartError';
  }
}

/** The first line of what another library or the system says. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1)[0] ?? '';
}
