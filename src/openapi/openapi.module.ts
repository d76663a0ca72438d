import { Module } from '@nestjs/common';
import { DocumentController } from './document.controller';

/** The API's document, served. What makes it (`describe-routes.ts`) is development's. */
@Module({ controllers: [DocumentController] })
export class OpenApiModule {}
