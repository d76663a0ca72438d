import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../../auth/access.decorator';
import { SITE_ASSETS } from './site-assets';

@Controller('site/assets')
@Public()
export class SiteAssetsController {
  @Get(':version/:name')
  send(@Param('version') version: string, @Param('name') name: string, @Res() response: Response): void {
    SITE_ASSETS.send(version, name, response);
  }
}
