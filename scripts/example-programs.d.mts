export type ExampleLanguage = 'curl' | 'python' | 'php' | 'go';
export const EXAMPLE_PROGRAMS: Record<ExampleLanguage, { programs: string[]; packages: string[] }>;
export function isThere(program: string): boolean;
export function languagesMissing(): ExampleLanguage[];
