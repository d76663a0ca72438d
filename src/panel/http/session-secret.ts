import type { FactoryProvider } from '@nestjs/common';
import { SessionService } from '../../auth/sessions/session.service';

/** The injection token of the secret that all instances share. */
export const SESSION_SECRET = Symbol('SESSION_SECRET');

export const SESSION_SECRET_PROVIDER: FactoryProvider<string> = {
  provide: SESSION_SECRET,
  inject: [SessionService],
  useFactory: (sessions: SessionService) => sessions.readSecret(),
};
