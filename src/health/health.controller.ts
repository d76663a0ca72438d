import { Controller, Get, HttpStatus, Res } from '@nestjs/common';
import { ApiOkResponse, ApiServiceUnavailableResponse } from '../common/http/described';
import type { Response } from 'express';
import { Public } from '../auth/access.decorator';
import { LiveResponse, type ReadinessChecks, ReadyResponse } from './health.response';
import { Readiness } from './readiness';
import type { ErrorCode } from '../common/errors/error-codes';

@Public()
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** The process runs and its event loop is not blocked. */
  @Get('live')
  @ApiOkResponse({ description: 'The process is running', type: LiveResponse })
  live(): LiveResponse {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOkResponse({ description: 'The service can take orders', type: ReadyResponse })
  @ApiServiceUnavailableResponse({
    description: 'The service cannot take orders. `checks` says why',
    type: ReadyResponse,
  })
  async ready(@Res({ passthrough: true }) response: Response): Promise<ReadyResponse> {
    const { ready, checks, reason } = await this.readiness.report();
    if (!ready) response.setHeader('X-Error-Code', codeOf(checks));
    response.status(ready ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE);
    return { status: ready ? 'ok' : 'unavailable', checks, ...(reason !== undefined && { reason }) };
  }
}

function codeOf({ database, node, signer }: ReadinessChecks): ErrorCode {
  if (database !== 'ok') return 'INTERNAL';
  return node === 'ok' && signer === 'failed' ? 'SIGNER_UNAVAILABLE' : 'NODE_UNAVAILABLE';
}
