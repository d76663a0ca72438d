import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { BillingModule } from '../billing/billing.module';
import { ChainModule } from '../chain/chain.module';
import { DelegationModule } from '../delegation/delegation.module';
import { PanelModule } from '../panel/panel.module';
import { ReportingModule } from '../reporting/reporting.module';
import { SiteAssetsController } from './assets/site-assets.controller';
import { DocumentLibrary } from './docs/document-library';
import { DocumentPageController } from './docs/document.controller';
import { EnergyForStrangers } from './home/energy-now';
import { HomeController } from './home/home.controller';
import { ReceiptLimit } from './receipts/receipt-limit';
import { SharedReceiptController } from './receipts/receipt.controller';

/** Pages that need no sign-in, in the same process as the API. */
@Module({
  imports: [AuthModule, BillingModule, ChainModule, DelegationModule, ReportingModule, PanelModule],
  controllers: [SiteAssetsController, HomeController, DocumentPageController, SharedReceiptController],
  providers: [DocumentLibrary, EnergyForStrangers, ReceiptLimit],
})
export class SiteModule {}
