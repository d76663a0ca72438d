import type { Response } from 'express';
import type { Failure } from './error-response';

const failures = new WeakMap<Response, Failure>();

/** Notes what a call was refused with, for code that looks at its answer afterwards. */
export function noteRefusal(response: Response, failure: Failure): void {
  failures.set(response, failure);
}

export function refusalOf(response: Response): Failure | undefined {
  return failures.get(response);
}
