import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ThrottlerModule } from '@nestjs/throttler';
import { CONFIGURATION } from '../../config/configuration';
import { AuditLogModule } from '../audit-log/audit-log.module';
import { CommonModule } from '../common/common.module';
import { QueryGuard } from '../common/http/query.guard';
import { SecretCipher } from '../common/secret-cipher';
import { MailModule } from '../mail/mail.module';
import { RateLimitGuard } from '../rate-limit/rate-limit.guard';
import { RateLimitModule } from '../rate-limit/rate-limit.module';
import { RateLimitStorage } from '../rate-limit/rate-limit.storage';
import { throttlers } from '../rate-limit/throttlers';
import { UsersModule } from '../users/users.module';
import { EmailChangeService } from './email-changes/email-change.service';
import { EntriesPerHour } from './entries-per-hour';
import { InvitationService } from './invitations/invitation.service';
import { KnownNetworkRepository } from './known-networks/known-network.repository';
import { HashingQueue } from './passwords/hashing-queue';
import { PasswordService } from './passwords/password.service';
import { PendingSignInRepository } from './pending-sign-ins/pending-sign-in.repository';
import { DiagnoseSecondFactors } from './second-factors/diagnose-second-factors';
import { SecondFactorRepository } from './second-factors/second-factor.repository';
import { SecondFactorService } from './second-factors/second-factor.service';
import { SessionService } from './sessions/session.service';
import { SignInLog } from './sign-in-log';
import { SignUpService } from './sign-ups/sign-up.service';
import { ApiTokenRepository } from './tokens/api-token.repository';
import { ApiTokenService } from './tokens/api-token.service';
import { FailedTokens } from './tokens/failed-tokens';
import { OwnTokenController } from './tokens/own-token.controller';
import { TokenListRepository } from './tokens/token-list.repository';
import { TokenLookup } from './tokens/token-lookup';
import { TokenUsage } from './tokens/token-usage';
import { TokenGuard } from './tokens/token.guard';

/** Finds out who calls, and how often they may. The guards run for every route, in the order of the contract. */
@Module({
  imports: [
    CommonModule,
    MailModule,
    UsersModule,
    AuditLogModule,
    RateLimitModule,
    ThrottlerModule.forRootAsync({
      imports: [RateLimitModule],
      inject: [CONFIGURATION, RateLimitStorage],
      useFactory: throttlers,
    }),
  ],
  controllers: [OwnTokenController],
  providers: [
    { provide: APP_GUARD, useClass: TokenGuard },
    { provide: APP_GUARD, useClass: RateLimitGuard },
    { provide: APP_GUARD, useClass: QueryGuard },
    ApiTokenRepository,
    TokenLookup,
    FailedTokens,
    TokenUsage,
    ApiTokenService,
    TokenListRepository,
    SecretCipher,
    HashingQueue,
    PasswordService,
    SecondFactorRepository,
    SecondFactorService,
    DiagnoseSecondFactors,
    PendingSignInRepository,
    EntriesPerHour,
    SignInLog,
    SessionService,
    KnownNetworkRepository,
    InvitationService,
    SignUpService,
    EmailChangeService,
  ],
  exports: [
    CommonModule,
    UsersModule,
    AuditLogModule,
    ApiTokenService,
    TokenListRepository,
    TokenLookup,
    RateLimitModule,
    PasswordService,
    SecondFactorService,
    DiagnoseSecondFactors,
    PendingSignInRepository,
    SignInLog,
    SessionService,
    KnownNetworkRepository,
    InvitationService,
    SignUpService,
    EmailChangeService,
    MailModule,
  ],
})
export class AuthModule {}
