import { ERROR_ANSWERS, type ErrorCode } from '../common/errors/error-codes';

/** Responses by status, each with the fixed sentences it may carry. */
export function failures(...codes: ErrorCode[]): Record<string, object> {
  const byStatus = Map.groupBy(codes, (code) => ERROR_ANSWERS[code].status);
  return Object.fromEntries(Array.from(byStatus, ([status, found]) => [status, describeFailure(found)]));
}

function describeFailure(codes: ErrorCode[]): object {
  const properties = {
    success: { type: 'boolean', enum: [false] },
    error: { type: 'string', example: ERROR_ANSWERS[codes[0]!].text },
    ...(ERROR_ANSWERS[codes[0]!].status === 400 && { details: DETAILS }),
  };
  const texts = [...new Set(codes.map((code) => ERROR_ANSWERS[code].text))];
  return {
    description: texts.join(' / '),
    content: { 'application/json': { schema: { type: 'object', properties } } },
  };
}

const DETAILS = { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } };
