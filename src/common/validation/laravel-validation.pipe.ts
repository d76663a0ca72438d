import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { validateSync, type ValidationError } from 'class-validator';
import { ServiceError } from '../errors/service.error';
import { RequestBody } from '../http/request-body';
import { RULE_ORDER } from './laravel-rules';
import { blankToNull, emptyToNull, normaliseInput } from './php-values';
import { fieldsOf, formProblem } from './query-fields';

type Details = Record<string, string[]>;

const TOO_LARGE = { body: ['The body may not be greater than 16 kilobytes.'] };

/** Makes the declared DTO of every body and query that has one, or refuses with Laravel's messages. */
@Injectable()
export class LaravelValidationPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || !metatype) return value;
    const fields = fieldsOf(metatype);
    if (fields.length === 0) return value;

    const problem = value instanceof RequestBody ? value.problem : undefined;
    if (problem === 'BODY_TOO_LARGE') throw new ServiceError(problem, problem, { details: TOO_LARGE });

    const input: object = value instanceof RequestBody ? value.values : (value ?? {});
    // A filter is what it is, blanks and all: trimmed away, it would show what was not asked for. A question is read like a body.
    const read = type === 'body' ? normaliseInput : 'isQuestion' in metatype ? blankToNull : emptyToNull;
    const dto = new metatype() as Record<string, unknown>;
    for (const field of fields) {
      // Own properties only: nothing is inherited through a `__proto__` in the body.
      if (Object.hasOwn(input, field)) dto[field] = read(input[field as keyof typeof input]);
    }
    const details = toDetails(validateSync(dto), type === 'query' ? formProblems(dto) : {});
    if (problem || details) throw new ServiceError(problem ?? 'VALIDATION_FAILED', 'Invalid input', { details });
    return dto;
  }
}

function toDetails(errors: ValidationError[], before: Details): Details | undefined {
  const details = { ...before };
  for (const { property, constraints = {} } of errors) {
    // That it is required says the same of an empty field.
    if (constraints['required'] !== undefined || !(property in details)) details[property] = messagesOf(constraints);
  }
  return Object.keys(details).length > 0 ? details : undefined;
}

function formProblems(query: Record<string, unknown>): Details {
  const problems = Object.entries(query).map(([field, value]) => [field, formProblem(field, value)] as const);
  return Object.fromEntries(problems.flatMap(([field, problem]) => (problem === null ? [] : [[field, [problem]]])));
}

function messagesOf(constraints: Record<string, string>): string[] {
  const { required, format, ...others } = constraints;
  if (required !== undefined) return [required];
  const messages = RULE_ORDER.flatMap((name) => others[name] ?? []);
  return messages.length > 0 || format === undefined ? messages : [format];
}
