export function parseEnvironmentFile(text: string): Record<string, string>;
