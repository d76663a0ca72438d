export interface BarSources {
  readonly specs?: readonly string[];
  readonly sources?: readonly string[];
  readonly run?: { readonly commands: readonly (readonly string[])[] };
}

export function sourcesOf(root: string, bar: BarSources): string[];
