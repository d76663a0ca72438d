import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../auth/access.decorator';
import { CONTENT_SECURITY_POLICY, DOCS_ASSETS, docsPage } from './docs.page';

/** The repository's own file; the build brings it along. */
const DOCUMENT = join(__dirname, '..', '..', 'openapi.json');

@Controller()
@Public()
export class DocumentController {
  private document: Buffer | undefined;

  @Get('openapi.json')
  show(@Res() response: Response): void {
    this.document ??= readFileSync(DOCUMENT);
    response.type('json').send(this.document);
  }

  @Get('docs/api')
  page(@Res() response: Response): void {
    response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    response.type('html').send(docsPage());
  }

  @Get('docs/assets/:version/:name')
  asset(@Param('version') version: string, @Param('name') name: string, @Res() response: Response): void {
    DOCS_ASSETS.send(version, name, response);
  }
}
