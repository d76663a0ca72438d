import type { OpenAPIObject } from '@nestjs/swagger';
import type { ErrorCode } from '../common/errors/error-codes';
import type { Headers } from './headers';

type Described = NonNullable<OpenAPIObject['paths'][string]['get']>;

/** What a route's own types cannot say; its parameters, body and answers come from them. */
export interface Operation extends Pick<Described, 'summary' | 'description' | 'security'> {
  /** Names the method in generated clients. */
  readonly operationId: string;
  /** Names the class that generated clients put it into. */
  readonly tags: readonly [string];
  readonly parameters?: Described['parameters'];
  /** Headers of the success, besides those that every answer has. */
  readonly headers?: Headers;
  /** Every X-Error-Code that the route can answer with. */
  readonly failures?: readonly ErrorCode[];
  /** X-Error-Code of the failures that its own types describe. */
  readonly reasons?: readonly ErrorCode[];
  /** `details` of its VALIDATION_FAILED, as an example. */
  readonly invalid?: Readonly<Record<string, string[]>>;
  /** Its failures name the order, once there is one. */
  readonly makesOrder?: boolean;
}
