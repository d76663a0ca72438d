import { validate as isUuid } from 'uuid';
import { DomainError, MissingError } from '../../common/errors/domain.error';
import { type FormProblem, PanelError } from './panel-errors';
import { refusedField } from './refused-field';
import type { Visit } from './visit';

/** A posted form or a query, as express reads it. */
export type Form = Readonly<Record<string, unknown>>;

/** Never typed by people; PostgreSQL takes no NUL. */
const CONTROL_CHARACTER = /[^\P{Cc}\t\r\n]/u;

/**
 * One field, trimmed; empty when it is missing.
 * @throws PanelError bad-form
 */
export function textOf(form: Form | undefined, field: string): string {
  const value = form && Object.hasOwn(form, field) ? form[field] : undefined;
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof first !== 'string') return '';
  if (CONTROL_CHARACTER.test(first)) throw new PanelError('bad-form');
  return first.trim();
}

/** Null when it is no UUID. @throws PanelError bad-form */
export function uuidOf(form: Form | undefined, field: string): string | null {
  const text = textOf(form, field);
  return isUuid(text) ? text : null;
}

const NUMBER = /^\d{1,18}$/;

/** A number of the database's, such as the key of a row; null when it is none. @throws PanelError bad-form */
export function numberOf(form: Form | undefined, field: string): bigint | null {
  const text = textOf(form, field);
  return NUMBER.test(text) ? BigInt(text) : null;
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

/** What a form itself knows to be wrong with what was typed, in the reader's language. */
export class FormError extends Error {
  constructor(
    message: string,
    readonly field?: string,
  ) {
    super(message);
    this.name = 'FormError';
  }
}

/** For the form to be shown again with. @throws what is no refusal, or concerns what is not there. */
export function problemOf(error: unknown, { messages }: Visit): FormProblem {
  if (error instanceof FormError) return { text: error.message, field: error.field };
  if (!(error instanceof DomainError) || error instanceof MissingError) throw error;
  return { text: messages.language.refusal(error), field: refusedField(error) };
}
