/** Text of one file that is replaced: it has to be there exactly once. */
export interface Patch {
  /** From the repository's root. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export interface Bug {
  readonly name: string;
  readonly patches: readonly Patch[];
}

export function bug(name: string, file: string, from: string, to: string, ...more: readonly Patch[]): Bug {
  return { name, patches: [{ file: `src/${file}`, from, to }, ...more] };
}
