export function commitOf(root: string): string;
export function areUnchanged(root: string, commit: string, paths: readonly string[]): boolean;
