import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { ChainModule } from '../chain/chain.module';
import { ReconciliationModule } from '../reconciliation/reconciliation.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { WeakSettings } from './weak-settings';

@Module({
  imports: [AuthModule, ChainModule, ReconciliationModule, WebhooksModule],
  providers: [WeakSettings],
  exports: [WeakSettings],
})
export class WeakSettingsModule {}
