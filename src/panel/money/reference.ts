const OF_FORM = /^panel [0-9a-f-]{36}$/;

/** Of a movement that its operator gave no name: unique, and of no use to anybody who reads the ledger. */
export function referenceOfForm(key: string): string {
  return `panel ${key}`;
}

/** Only what people wrote. */
export function shownReference(reference: string | null): string | null {
  return reference !== null && OF_FORM.test(reference) ? null : reference;
}
