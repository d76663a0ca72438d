import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../../auth/access.decorator';
import { ASSETS } from './assets';

@Controller('panel/assets')
@Public()
export class AssetsController {
  @Get(':version/:name')
  send(@Param('version') version: string, @Param('name') name: string, @Res() response: Response): void {
    ASSETS.send(version, name, response);
  }
}
