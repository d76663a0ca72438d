import { CHINESE } from '../../common/errors/domain-errors.chinese';
import { ENGLISH } from '../../common/errors/domain-errors.english';
import type { DomainError } from '../../common/errors/domain.error';
import type { Locale } from './locale';

/** A refusal, for somebody who reads the panel. */
export function refusalText(error: DomainError, locale: Locale): string {
  return locale === 'zh' ? error.textIn(CHINESE) : sentence(error.textIn(ENGLISH));
}

function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
