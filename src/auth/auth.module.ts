import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ThrottlerModule } from '@nestjs/throttler';
import { CONFIGURATION } from '../../config/configuration';
import { CommonModule } from '../common/common.module';
import { AuditLog } from '../audit-log/audit-log';
import { InvitationService } from './invitations/invitation.service';
import { PanelAddress } from './invitations/panel-address';
import { KnownPlaces } from './known-networks/known-networks';
import { PasswordService } from './passwords/password.service';
import { RateLimitGuard } from '../rate-limit/rate-limit.guard';
import { RateLimitModule } from '../rate-limit/rate-limit.module';
import { RateLimitStorage } from '../rate-limit/rate-limit.storage';
import { throttlers } from '../rate-limit/throttlers';
import { SessionService } from './sessions/session.service';
import { ApiTokenService } from './tokens/api-token.service';
import { FailedTokens } from './tokens/failed-tokens';
import { LastUsed } from './tokens/token-usage';
import { TokenGuard } from './tokens/token.guard';
import { TokenLookup } from './tokens/token-lookup';
import { UserService } from '../users/user.service';

/** Who calls and how often they may. The guards hold for every route; their order is the contract's. */
@Module({
  imports: [
    CommonModule,
    RateLimitModule,
    ThrottlerModule.forRootAsync({
      imports: [RateLimitModule],
      inject: [CONFIGURATION, RateLimitStorage],
      useFactory: throttlers,
    }),
  ],
  providers: [
    { provide: APP_GUARD, useClass: TokenGuard },
    { provide: APP_GUARD, useClass: RateLimitGuard },
    TokenLookup,
    FailedTokens,
    LastUsed,
    ApiTokenService,
    UserService,
    PasswordService,
    SessionService,
    KnownPlaces,
    PanelAddress,
    InvitationService,
    AuditLog,
  ],
  exports: [
    ApiTokenService,
    UserService,
    TokenLookup,
    RateLimitModule,
    PasswordService,
    SessionService,
    KnownPlaces,
    PanelAddress,
    InvitationService,
    AuditLog,
  ],
})
export class AuthModule {}
