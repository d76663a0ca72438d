import type { WeaknessKind, WeaknessParameters } from '../common/weakness';

/** A sentence, and what to do. */
export interface WeaknessText<Kind extends WeaknessKind> {
  readonly reason: (parameters: WeaknessParameters[Kind]) => string;
  readonly nextStep: (parameters: WeaknessParameters[Kind]) => string;
}

export type WeaknessMessages = { readonly [Kind in WeaknessKind]: WeaknessText<Kind> };
