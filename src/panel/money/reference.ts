const OF_FORM = /^panel [0-9a-f-]{36}$/;

/** The reference of a movement whose operator gave none: unique, but not worth showing. */
export function referenceOfForm(key: string): string {
  return `panel ${key}`;
}

/** Null for a generated one. */
export function shownReference(reference: string | null): string | null {
  return reference !== null && OF_FORM.test(reference) ? null : reference;
}
