export function prefersSystem(pinned: string, system: string): boolean;
export function newerSystemNode(version?: string, path?: string): string | null;
export function useNewestNode(): void;
