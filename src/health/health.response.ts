import { ApiProperty, ApiSchema } from '../common/http/described';

const OUTCOMES = ['ok', 'failed'] as const;
type Outcome = (typeof OUTCOMES)[number];

@ApiSchema({ name: 'Liveness' })
export class LiveResponse {
  @ApiProperty({ enum: ['ok'] })
  readonly status!: 'ok';
}

export class ReadinessChecks {
  @ApiProperty({ enum: OUTCOMES })
  readonly database!: Outcome;

  @ApiProperty({ enum: OUTCOMES })
  readonly migrations!: Outcome;

  @ApiProperty({ enum: OUTCOMES })
  readonly node!: Outcome;

  @ApiProperty({
    enum: OUTCOMES,
    required: false,
    description: 'Where SIGNER_URL is set: whether the signer signs for a wallet, or one lends without it',
  })
  readonly signer?: Outcome;

  @ApiProperty({
    required: false,
    enum: ['ok', 'behind'],
    description:
      'With deposits on: whether blocks of a pause are still to be read for them. Orders do not wait for that',
  })
  readonly deposits?: 'ok' | 'behind';
}

@ApiSchema({ name: 'Readiness' })
export class ReadyResponse {
  @ApiProperty({ enum: ['ok', 'unavailable'] })
  readonly status!: 'ok' | 'unavailable';

  @ApiProperty()
  readonly checks!: ReadinessChecks;

  @ApiProperty({ required: false, description: 'Why the chain or the database is not to be gone by' })
  readonly reason?: string;
}
