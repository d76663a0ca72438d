export function parseEnvironmentFile(text: string): Record<string, string>;
export function settingsProblem(bytes: Buffer): string | null;
