import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../../auth/access.decorator';
import { findAsset } from './assets';

@Controller('panel/assets')
@Public()
@ApiExcludeController()
export class AssetsController {
  @Get(':version/:name')
  send(@Param('version') version: string, @Param('name') name: string, @Res() response: Response): void {
    const asset = findAsset(version, name);
    if (!asset) {
      response.status(404).type('text').send('Not found\n');
      return;
    }
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    response.type(asset.type).send(asset.body);
  }
}
