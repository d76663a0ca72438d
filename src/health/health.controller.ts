import { Controller, Get, HttpStatus, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../auth/access.decorator';
import { Readiness } from './readiness';

@Public()
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** The process runs and its event loop is not blocked. */
  @Get('live')
  live() {
    return { status: 'ok' };
  }

  @Get('ready')
  async ready(@Res({ passthrough: true }) response: Response) {
    const { ready, checks } = await this.readiness.report();
    if (!ready) response.setHeader('X-Error-Code', checks.database === 'ok' ? 'NODE_UNAVAILABLE' : 'INTERNAL');
    response.status(ready ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE);
    return { status: ready ? 'ok' : 'unavailable', checks };
  }
}
