/** A form's, or one that was made because none was given (money-admin.service.ts). */
const GENERATED = /^(panel|made) [0-9a-f-]{36}$/;

/** The reference of a movement whose operator gave none: unique, but not worth showing. */
export function referenceOfForm(key: string): string {
  return `panel ${key}`;
}

/** Null for a generated one. */
export function shownReference(reference: string | null): string | null {
  return reference !== null && GENERATED.test(reference) ? null : reference;
}
