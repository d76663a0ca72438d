import {
  type FindingKind,
  type FindingParameters,
  kindOf,
  type Parameters,
  type ReasonCode,
} from '../common/finding-reasons';
import { type FindingSubject, nameOfSubject } from '../common/finding-subject';

/** Something that must not be, for operators. `languages` has its sentences. */
export interface Finding<Subject extends FindingSubject = FindingSubject> {
  readonly kind: FindingKind;
  readonly code: ReasonCode;
  readonly parameters: Parameters;
  readonly about: Subject;
  /** The name of what it is about. */
  readonly subject: string;
  /** For what an operator can acknowledge: its size is at most this. */
  readonly amountSun?: bigint;
}

export function finding<Code extends ReasonCode, Subject extends FindingSubject>(
  code: Code,
  parameters: FindingParameters[Code],
  about: Subject,
  amountSun?: bigint,
): Finding<Subject> {
  const found = { kind: kindOf(code), code, parameters: { ...parameters }, about, subject: nameOfSubject(about) };
  return amountSun === undefined ? found : { ...found, amountSun };
}
