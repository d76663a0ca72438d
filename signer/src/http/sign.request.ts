import type { SignRequest } from '../signer';
import { BodyError } from './body';

const MOST_REQUESTS = 100;

/** @throws BodyError for a body that is not of the form; one request in it may still be of another, which is null here */
export function parseSignRequests(body: string): (SignRequest | null)[] {
  const requests = fieldsOf(parse(body), ['requests'])?.['requests'];
  if (!Array.isArray(requests) || requests.length < 1 || requests.length > MOST_REQUESTS)
    throw new BodyError(400, `the body must be {"requests": [1 to ${MOST_REQUESTS} of them]}`);
  return requests.map((one: unknown) => {
    const { key, raw_data_hex: rawDataHex } = fieldsOf(one, ['key', 'raw_data_hex']) ?? {};
    return typeof key === 'string' && typeof rawDataHex === 'string' ? { key, rawDataHex } : null;
  });
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new BodyError(400, 'the body must be JSON');
  }
}

/** Null unless it is an object with these fields and no other. */
function fieldsOf(value: unknown, names: readonly string[]): Record<string, unknown> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return Object.keys(value).every((name) => names.includes(name)) ? (value as Record<string, unknown>) : null;
}
