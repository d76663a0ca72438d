import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../../auth/access.decorator';
import { findAsset, isPresentVersion } from './assets';

@Controller('panel/assets')
@Public()
export class AssetsController {
  @Get(':version/:name')
  send(@Param('version') version: string, @Param('name') name: string, @Res() response: Response): void {
    const asset = findAsset(name);
    if (!asset) {
      response.status(404).type('text').send('Not found\n');
      return;
    }
    // While instances of two versions answer, the page may come from one and its files from the other.
    const kept = isPresentVersion(version);
    response.setHeader('Cache-Control', kept ? 'public, max-age=31536000, immutable' : 'no-store');
    response.type(asset.type).send(asset.body);
  }
}
