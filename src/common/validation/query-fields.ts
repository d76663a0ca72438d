import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

const known = new Map<Type, readonly string[]>();

/** The fields of a body or query that have rules, each once. */
export function fieldsOf(dto: Type): readonly string[] {
  const found = known.get(dto);
  if (found) return found;
  const metadata = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const fields = [...new Set(metadata.map(({ propertyName }) => propertyName))];
  known.set(dto, fields);
  return fields;
}

/** Says what is wrong with how a query has this field, whatever its rules; null for one that was given once, with something in it. */
export function formProblem(name: string, value: unknown): string | null {
  const attribute = name.replaceAll('_', ' ');
  if (Array.isArray(value)) return `The ${attribute} must be a single value.`;
  return value === '' || value === null ? `The ${attribute} must not be empty.` : null;
}
