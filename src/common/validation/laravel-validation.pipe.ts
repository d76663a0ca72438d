import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';
import { ServiceError } from '../errors/service.error';
import { RequestBody } from '../http/request-body';
import { RULE_ORDER } from './laravel-rules';
import { emptyToNull, normaliseInput } from './php-values';

const TOO_LARGE = { body: ['The body may not be greater than 16 kilobytes.'] };

/** Makes the declared DTO of every body and query that has one, or refuses with Laravel's messages. */
@Injectable()
export class LaravelValidationPipe implements PipeTransform {
  private readonly fields = new Map<Type, string[]>();

  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || !metatype) return value;
    const fields = this.fieldsOf(metatype);
    if (fields.length === 0) return value;

    const problem = value instanceof RequestBody ? value.problem : undefined;
    if (problem === 'BODY_TOO_LARGE') throw new ServiceError(problem, problem, { details: TOO_LARGE });

    const input: object = value instanceof RequestBody ? value.values : (value ?? {});
    // A filter is what it is, blanks and all: trimmed away, it would show what was not asked for. A question is read like a body.
    const read = type === 'query' && !('isQuestion' in metatype) ? emptyToNull : normaliseInput;
    const dto = new metatype() as Record<string, unknown>;
    for (const field of fields) {
      // Own properties only: nothing is inherited through a `__proto__` in the body.
      if (Object.hasOwn(input, field)) dto[field] = read(input[field as keyof typeof input]);
    }
    const details = toDetails(validateSync(dto));
    if (problem || details) throw new ServiceError(problem ?? 'VALIDATION_FAILED', 'Invalid input', { details });
    return dto;
  }

  private fieldsOf(metatype: Type): string[] {
    let fields = this.fields.get(metatype);
    if (!fields) {
      const metadata = getMetadataStorage().getTargetValidationMetadatas(metatype, '', false, false);
      fields = [...new Set(metadata.map(({ propertyName }) => propertyName))];
      this.fields.set(metatype, fields);
    }
    return fields;
  }
}

function toDetails(errors: ValidationError[]): Record<string, string[]> | undefined {
  const entries = errors.map(({ property, constraints }) => [property, messagesOf(constraints ?? {})] as const);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

function messagesOf(constraints: Record<string, string>): string[] {
  const { required, format, ...others } = constraints;
  if (required !== undefined) return [required];
  const messages = RULE_ORDER.flatMap((name) => others[name] ?? []);
  return messages.length > 0 || format === undefined ? messages : [format];
}
