import type { DomainError } from '../../../common/errors/domain.error';
import { refusals } from '../refusals';

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

/** The language itself, how it shortens numbers, and how it says what the service refuses. */
export const language = {
  name: 'English',
  tag: 'en',
  /** `91.4M` */
  compact: (value: number | bigint) => COMPACT.format(value),
  refusal: (error: DomainError) => sentence(error.textIn(refusals)),
};

/** The command line has it within a line of its own. */
function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
