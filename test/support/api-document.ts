import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
}
export interface Header {
  readonly required?: boolean;
  readonly schema: Schema;
}
export interface DescribedAnswer {
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: {
    readonly 'application/json': {
      readonly schema: Schema;
      readonly examples?: Readonly<Record<string, { readonly value: { readonly error?: string } }>>;
    };
  };
}
export interface Operation {
  readonly security?: readonly object[];
  readonly operationId: string;
  readonly responses: Readonly<Record<string, DescribedAnswer>>;
}
export interface Webhook {
  readonly post: {
    readonly requestBody: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
    readonly parameters: readonly { readonly name: string; readonly schema: Schema }[];
  };
}
export type PathItem = Readonly<Partial<Record<string, Operation>>>;
interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks: Readonly<Record<string, Webhook>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly responses: Readonly<Record<'NotFound' | 'MethodNotAllowed' | 'MalformedRequest', DescribedAnswer>>;
  };
}

export const DOCUMENT_TEXT = readFileSync(join(__dirname, '..', '..', 'openapi.json'), 'utf8');

const { components, ...rest } = JSON.parse(DOCUMENT_TEXT) as Document;

/** As callers read it, but with every `$ref` to a header followed. */
export const DOCUMENT: Document = followHeaders({ ...rest, components });

/** Callers ignore fields that they do not know; what the service sends is all described, so that the tests refuse them. */
const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, strict: 'log' });
addFormats.default(ajv);
ajv.addVocabulary(['example', 'components']);
ajv.addSchema({ $id: 'api', components: { schemas: closed(components.schemas) } });

const validators = new Map<string, ValidateFunction>();

/** Violations of the value, one line each. */
export function violationsOf(schema: Schema, value: unknown): string[] {
  const key = JSON.stringify(schema);
  const ref = schema.$ref === undefined ? schema : { $ref: `api${schema.$ref}` };
  const validate = validators.get(key) ?? ajv.compile(ref);
  validators.set(key, validate);
  if (validate(value)) return [];
  return validate.errors!.map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

function closed<Part>(schema: Part): Part {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(closed) as Part;
  const copy = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, closed(part)]));
  const isObject = 'properties' in copy && copy['type'] === 'object' && !('additionalProperties' in copy);
  return (isObject ? { ...copy, additionalProperties: false } : copy) as Part;
}

function followHeaders<Part>(part: Part): Part {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map(followHeaders) as Part;
  const name = /^#\/components\/headers\/(.+)$/.exec((part as Schema).$ref ?? '')?.[1];
  if (name !== undefined) return components.headers[name] as Part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, followHeaders(value)])) as Part;
}
