import type { OpenAPIObject } from '@nestjs/swagger';

interface Schema {
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  default?: unknown;
  description?: string;
}

/** Where values stand that look like schemas and are none. */
const DATA = new Set(['example', 'examples', 'enum', 'default', 'required']);

/** What generators of clients stumble over, whatever a route's types say; each was seen with openapi-generator 7.25. */
export function forGenerators(document: OpenAPIObject): OpenAPIObject {
  walk(document);
  return document;
}

function walk(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) adapt(node);
  for (const [key, part] of Object.entries(node)) if (!DATA.has(key)) walk(part);
}

function adapt(schema: Schema): void {
  const types = [schema.type].flat();
  // Go makes float32 of a number without a format.
  if (types.includes('number')) schema.format ??= 'double';
  if (!Array.isArray(schema.enum)) return;
  // A value has to be in the enum, whatever its type allows.
  if (types.includes('null') && !schema.enum.includes(null)) schema.enum = [...schema.enum, null];
  // Python compares the boolean with the text 'true', and so refuses every answer.
  if (types.includes('boolean')) {
    schema.description ??= `Always ${String(schema.enum[0])}`;
    delete schema.enum;
  }
  // PHP's own syntax is broken by an enum of integers with a default.
  if (schema.default !== undefined) {
    schema.description = [schema.description, `${JSON.stringify(schema.default)} when it is left out`].join('; ');
    delete schema.default;
  }
}
