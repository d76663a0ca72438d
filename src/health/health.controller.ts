import { Controller, Get, HttpStatus, Res } from '@nestjs/common';
import { ApiOkResponse, ApiServiceUnavailableResponse } from '../common/http/described';
import type { Response } from 'express';
import { Public } from '../auth/access.decorator';
import { LiveResponse, ReadyResponse } from './health.response';
import { Readiness } from './readiness';

@Public()
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** The process runs and its event loop is not blocked. */
  @Get('live')
  @ApiOkResponse({ description: 'It does', type: LiveResponse })
  live(): LiveResponse {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOkResponse({ description: 'They do', type: ReadyResponse })
  @ApiServiceUnavailableResponse({ description: 'They do not; `checks` says which', type: ReadyResponse })
  async ready(@Res({ passthrough: true }) response: Response): Promise<ReadyResponse> {
    const { ready, checks, reason } = await this.readiness.report();
    if (!ready) response.setHeader('X-Error-Code', checks.database === 'ok' ? 'NODE_UNAVAILABLE' : 'INTERNAL');
    response.status(ready ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE);
    return { status: ready ? 'ok' : 'unavailable', checks, ...(reason !== undefined && { reason }) };
  }
}
