import type { Language } from '../../config/languages';
import {
  type ActionCode,
  type FindingKind,
  fitsReason,
  isReasonCode,
  kindOf,
  type Parameters,
  type ReasonCode,
} from '../common/finding-reasons';
import type { FindingMessages } from '../languages/finding-messages';
import { LANGUAGES } from '../languages/languages';
import type { Finding } from './finding';
import { readSubject, type SubjectColumns } from './subject-columns';

const ENGLISH = LANGUAGES.en.findings;

/** What a finding says in English. */
export interface FindingDocument {
  readonly kind: string;
  readonly subject: string;
  readonly reason: string;
  readonly next_step: string;
}

/**
 * A row, with its sentences in English as it was written: shown where a newer version has written a
 * code that is not known here or goes with other parameters.
 */
export interface FindingColumns extends FindingDocument, SubjectColumns {
  readonly reason_code: string | null;
  readonly parameters: Parameters | null;
  readonly action: string | null;
  readonly action_code: string | null;
}

/** A text, and whether it had to stay in English. */
export interface FindingText {
  readonly text: string;
  readonly lang?: 'en';
}

/** A row in words. */
export interface FindingTexts {
  readonly kind: string;
  readonly subject: string;
  readonly reason: FindingText;
  readonly nextStep: FindingText;
  readonly action: FindingText | null;
}

export function inEnglish({ kind, subject, code, parameters }: Finding): FindingDocument {
  return { kind, subject, reason: reasonOf(ENGLISH, code, parameters), next_step: ENGLISH.reasons[code].nextStep };
}

export function textsOf(row: FindingColumns, language: Language): FindingTexts {
  const messages = LANGUAGES[language].findings;
  const asWritten = (text: string): FindingText => (language === 'en' ? { text } : { text, lang: 'en' });
  const message = messageOf(row, messages);
  const subject = language === 'en' ? null : readSubject(row);
  return {
    kind: isFindingKind(row.kind) ? messages.kind(row.kind) : row.kind,
    subject: subject ? messages.subject(subject) : row.subject,
    reason: message ? { text: message.reason } : asWritten(row.reason),
    nextStep: message ? { text: message.nextStep } : asWritten(row.next_step),
    action: row.action === null ? null : (actionOf(row, messages) ?? asWritten(row.action)),
  };
}

function messageOf({ reason_code: code, parameters }: FindingColumns, messages: FindingMessages) {
  if (!isReasonCode(code) || parameters === null || !fitsReason(code, parameters)) return null;
  return { reason: reasonOf(messages, code, parameters), nextStep: messages.reasons[code].nextStep };
}

function reasonOf(messages: FindingMessages, code: ReasonCode, parameters: Parameters): string {
  // The parameters were made for this code.
  return (messages.reasons[code].reason as (parameters: Parameters) => string)(parameters);
}

function actionOf({ action_code: code, wallet }: FindingColumns, { actions }: FindingMessages): FindingText | null {
  if (code === null || !Object.hasOwn(actions, code)) return null;
  if (code === 'wallet_paused' && wallet === null) return null;
  return { text: actions[code as ActionCode](wallet ?? '') };
}

function isFindingKind(kind: string): kind is FindingKind {
  return isReasonCode(kind) && kindOf(kind) === kind;
}
