import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { BillingModule } from '../billing/billing.module';
import { SiteAssetsController } from './assets/site-assets.controller';
import { DocumentLibrary } from './docs/document-library';
import { DocumentPageController } from './docs/document.controller';

/** Pages that need no sign-in, in the same process as the API. */
@Module({
  imports: [AuthModule, BillingModule],
  controllers: [SiteAssetsController, DocumentPageController],
  providers: [DocumentLibrary],
})
export class SiteModule {}
