import { ApiProperty, ApiSchema } from '../common/http/described';

/** The body of every failure, whatever the route (`common/http/error-response.ts` makes it). */
@ApiSchema({ name: 'Error', description: 'The body of every failure. Programs read the error code in X-Error-Code.' })
export class ErrorSchema {
  @ApiProperty({ enum: [false] })
  readonly success!: false;

  @ApiProperty({ description: 'A fixed sentence. Programs decide by X-Error-Code instead' })
  readonly error!: string;

  @ApiProperty({
    type: 'object',
    selfRequired: false,
    additionalProperties: { type: 'array', items: { type: 'string' } },
    description: 'With status 400: what is wrong with each field, in English',
  })
  readonly details?: Record<string, string[]>;

  @ApiProperty({
    type: Number,
    required: false,
    minimum: 0,
    maximum: 0,
    description: 'Only on the delegate route in variant B. Always 0, because a failure is never charged',
  })
  readonly cost?: 0;
}
