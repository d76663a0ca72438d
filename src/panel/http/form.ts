/** A posted form or a query, as express reads it. */
export type Form = Readonly<Record<string, unknown>>;

/** One field, trimmed; empty when it is missing. */
export function textOf(form: Form | undefined, field: string): string {
  const value = form && Object.hasOwn(form, field) ? form[field] : undefined;
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first.trim() : '';
}

/** As typed: passwords may begin with a blank. */
export function rawTextOf(form: Form | undefined, field: string): string {
  const value = form?.[field];
  return typeof value === 'string' ? value : '';
}

/** Checkboxes of one name. */
export function choicesOf(form: Form | undefined, field: string): string[] {
  const value = form?.[field];
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
