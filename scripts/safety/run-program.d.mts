export interface ProgramEnd {
  readonly code: number | null;
  readonly timedOut: boolean;
  readonly said: string;
}

export function runProgram(
  root: string,
  args: readonly string[],
  options: { readonly env?: Record<string, string>; readonly limitMs: number; readonly stdout?: 'inherit' | 'ignore' },
): Promise<ProgramEnd>;
