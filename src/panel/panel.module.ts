import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { BalanceModule } from '../balance/balance.module';
import { BillingModule } from '../billing/billing.module';
import { ChainModule } from '../chain/chain.module';
import { DelegationModule } from '../delegation/delegation.module';
import { AssetsController } from './assets/assets.controller';
import { CsrfTokens } from './http/csrf-tokens';
import { MissingPageController } from './http/missing-page.controller';
import { PanelUsers } from './http/panel-users';
import { PanelMiddleware } from './http/panel.middleware';
import { SESSION_SECRET_PROVIDER } from './http/session-secret';
import { PanelSchedule } from './panel.schedule';
import { AccountController } from './sign-in/account.controller';
import { InvitationController } from './sign-in/invitation.controller';
import { SignInController } from './sign-in/sign-in.controller';
import { SignInThrottle } from './sign-in/sign-in.throttle';

/** The admin panel: pages under `/panel`, rendered here, in the same process as the API. */
@Module({
  imports: [AuthModule, BalanceModule, BillingModule, ChainModule, DelegationModule],
  controllers: [
    AssetsController,
    SignInController,
    InvitationController,
    AccountController,
    // Takes what no other controller has taken, so it stays last.
    MissingPageController,
  ],
  providers: [SESSION_SECRET_PROVIDER, CsrfTokens, PanelUsers, SignInThrottle, PanelSchedule],
})
export class PanelModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(PanelMiddleware).forRoutes('panel', 'panel/{*path}');
  }
}
