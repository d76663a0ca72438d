import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { CommonModule } from '../common/common.module';
import { Clock } from '../common/clock';
import { Sql } from '../database/sql';
import { AuditLog } from './audit-log/audit-log';
import { InvitationService } from './invitations/invitation.service';
import { PanelAddress } from './invitations/panel-address';
import { PasswordService } from './passwords/password.service';
import { MemoryRateLimitStore } from './rate-limit/memory-rate-limit.store';
import { PostgresRateLimitStore } from './rate-limit/postgres-rate-limit.store';
import { RateLimitGuard } from './rate-limit/rate-limit.guard';
import { RateLimitStore } from './rate-limit/rate-limit.store';
import { SessionService } from './sessions/session.service';
import { ApiTokenService } from './tokens/api-token.service';
import { LastUsed } from './tokens/last-used';
import { TokenGuard } from './tokens/token.guard';
import { TokenLookup } from './tokens/token-lookup';
import { UserService } from './user.service';

/** Who calls and how often they may. The guards hold for every route; their order is the contract's. */
@Module({
  imports: [CommonModule],
  providers: [
    { provide: APP_GUARD, useClass: TokenGuard },
    { provide: APP_GUARD, useClass: RateLimitGuard },
    {
      provide: RateLimitStore,
      inject: [CONFIGURATION, Clock, Sql],
      useFactory: ({ rateLimit }: Configuration, clock: Clock, sql: Sql) =>
        rateLimit.store === 'postgres' ? new PostgresRateLimitStore(sql, clock) : new MemoryRateLimitStore(clock),
    },
    TokenLookup,
    LastUsed,
    ApiTokenService,
    UserService,
    PasswordService,
    SessionService,
    PanelAddress,
    InvitationService,
    AuditLog,
  ],
  exports: [
    ApiTokenService,
    UserService,
    TokenLookup,
    RateLimitStore,
    PasswordService,
    SessionService,
    PanelAddress,
    InvitationService,
    AuditLog,
  ],
})
export class AuthModule {}
