import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { AdminModule } from '../admin/admin.module';
import { AuthModule } from '../auth/auth.module';
import { BalanceModule } from '../balance/balance.module';
import { BillingModule } from '../billing/billing.module';
import { ChainModule } from '../chain/chain.module';
import { DelegationModule } from '../delegation/delegation.module';
import { ReportingModule } from '../reporting/reporting.module';
import { DepositsModule } from '../deposits/deposits.module';
import { SweepsModule } from '../deposits/sweeps/sweeps.module';
import { FindingsModule } from '../findings/findings.module';
import { NoticesModule } from '../notices/notices.module';
import { QuoteModule } from '../quote/quote.module';
import { ReconciliationModule } from '../reconciliation/reconciliation.module';
import { StakeCareModule } from '../stake-care/stake-care.module';
import { UsersModule } from '../users/users.module';
import { WeakSettingsModule } from '../weak-settings/weak-settings.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { PreferencesController } from './account/preferences.controller';
import { AssetsController } from './assets/assets.controller';
import { AuditLogController } from './audit-log/audit-log.controller';
import { BooksController } from './books/books.controller';
import { StatementController, StatementPages, UserStatementController } from './books/statement.controller';
import { BusinessController } from './business/business.controller';
import { CreditDepositController } from './deposits/credit.controller';
import { DepositListController } from './deposits/deposit-list.controller';
import { DepositRateController } from './deposits/rate.controller';
import { TopUpController } from './deposits/top-up.controller';
import { EarningsController } from './earnings/earnings.controller';
import { FindingController } from './findings/finding.controller';
import { FirstRun } from './first-run/first-run';
import { HomeController } from './home/home.controller';
import { NewestFailures } from './home/newest-failures';
import { AccountStateReader } from './http/account-state';
import { ActLimits } from './http/act-limit';
import { ExportTurn } from './http/export-turn';
import { SessionLimit } from './http/session-limit';
import { AnswerController } from './http/answer.controller';
import { CsrfTokens } from './http/csrf-tokens';
import { KeptAnswers } from './http/kept-answers';
import { MissingPageController } from './http/missing-page.controller';
import { PanelMiddleware } from './http/panel.middleware';
import { SESSION_SECRET_PROVIDER } from './http/session-secret';
import { BalanceController } from './money/balance.controller';
import { MoneyPages } from './money/money-pages';
import { NoticeController } from './notices/notice.controller';
import { AllOrdersController } from './orders/all-orders.controller';
import { BlockExplorer } from './orders/block-explorer';
import { OrderController } from './orders/order.controller';
import { OverviewController } from './overview/overview.controller';
import { OverviewService } from './overview/overview.service';
import { PanelSchedule } from './panel.schedule';
import { QuotePageController } from './quote/quote.controller';
import { RefusedAttemptController } from './refusals/refused-attempt.controller';
import { PanelSearch } from './search/panel-search';
import { SearchController } from './search/search.controller';
import { SettingsReader } from './settings/settings-reader';
import { SettingsController } from './settings/settings.controller';
import { AccountController } from './sign-in/account.controller';
import { InvitationController } from './sign-in/invitation.controller';
import { KnownBrowsers } from './sign-in/known-browsers';
import { PanelSessions } from './sign-in/panel-sessions';
import { PendingSignIns } from './sign-in/pending-sign-in';
import { RecentPassword } from './sign-in/recent-password';
import { SecondFactorController } from './sign-in/second-factor.controller';
import { SignInSteps } from './sign-in/sign-in-steps';
import { SignInController } from './sign-in/sign-in.controller';
import { SignInThrottle } from './sign-in/sign-in.throttle';
import { FormLimit } from './sign-up/form-limit';
import { AccountEmailController, EmailController } from './sign-up/email.controller';
import { ForgotController } from './sign-up/forgot.controller';
import { SignUpController } from './sign-up/sign-up.controller';
import { SignUpListController } from './sign-ups/sign-up-list.controller';
import { StakeActController } from './stake/act.controller';
import { StakeCareController } from './stake/care.controller';
import { StakeController } from './stake/stake.controller';
import { StakeDetails } from './stake/stake-details';
import { TodayController } from './today/today.controller';
import { TokenController } from './tokens/token.controller';
import { SendOrder } from './try-it/send-order';
import { TryItController } from './try-it/try-it.controller';
import { UserFactorController } from './users/user-factor.controller';
import { UserMoneyController } from './users/user-money.controller';
import { UserPages } from './users/user-pages';
import { UserTokenController } from './users/user-token.controller';
import { UserController } from './users/user.controller';
import { ResumeController } from './wallets/resume.controller';
import { WalletDetailController } from './wallets/wallet-detail.controller';
import { WalletDetails } from './wallets/wallet-details';
import { WalletDoctor } from './wallets/wallet-doctor';
import { WalletController } from './wallets/wallet.controller';
import { WebhookController } from './webhooks/webhook.controller';

/** The admin panel: pages under `/panel`, rendered here, in the same process as the API. */
@Module({
  imports: [
    AuthModule,
    BalanceModule,
    BillingModule,
    ChainModule,
    DelegationModule,
    ReportingModule,
    FindingsModule,
    NoticesModule,
    ReconciliationModule,
    UsersModule,
    WebhooksModule,
    WeakSettingsModule,
    QuoteModule,
    AdminModule,
    StakeCareModule,
    DepositsModule,
    SweepsModule,
  ],
  controllers: [
    AssetsController,
    AnswerController,
    SignInController,
    InvitationController,
    SignUpController,
    ForgotController,
    EmailController,
    AccountEmailController,
    AccountController,
    PreferencesController,
    SecondFactorController,
    TokenController,
    WebhookController,
    BalanceController,
    TopUpController,
    // Before the next, which takes what stands there for an order's id.
    RefusedAttemptController,
    OrderController,
    TryItController,
    QuotePageController,
    SearchController,
    SettingsController,
    TodayController,
    BusinessController,
    EarningsController,
    HomeController,
    BooksController,
    DepositListController,
    DepositRateController,
    CreditDepositController,
    StatementController,
    UserStatementController,
    OverviewController,
    WalletController,
    // Before the next, which takes what stands there for a wallet's id.
    ResumeController,
    WalletDetailController,
    StakeController,
    StakeCareController,
    StakeActController,
    SignUpListController,
    UserController,
    UserMoneyController,
    UserTokenController,
    UserFactorController,
    AllOrdersController,
    FindingController,
    NoticeController,
    AuditLogController,
    // Takes what no other controller has taken, so it stays last.
    MissingPageController,
  ],
  providers: [
    SESSION_SECRET_PROVIDER,
    AccountStateReader,
    ActLimits,
    SessionLimit,
    ExportTurn,
    KeptAnswers,
    CsrfTokens,
    SignInThrottle,
    FormLimit,
    KnownBrowsers,
    PanelSessions,
    PendingSignIns,
    SignInSteps,
    RecentPassword,
    PanelSchedule,
    MoneyPages,
    StatementPages,
    BlockExplorer,
    SendOrder,
    PanelSearch,
    FirstRun,
    NewestFailures,
    SettingsReader,
    OverviewService,
    UserPages,
    WalletDetails,
    WalletDoctor,
    StakeDetails,
  ],
  exports: [BlockExplorer],
})
export class PanelModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(PanelMiddleware).forRoutes('panel', 'panel/{*path}');
  }
}
