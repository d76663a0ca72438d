import { Inject, Injectable, Logger } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { InvitationService } from '../auth/invitations/invitation.service';
import { KnownNetworkRepository } from '../auth/known-networks/known-network.repository';
import { SessionService } from '../auth/sessions/session.service';
import { BACKGROUND_WORK } from '../common/background-work';

@Injectable()
export class PanelSchedule {
  private readonly logger = new Logger(PanelSchedule.name);

  constructor(
    @Inject(BACKGROUND_WORK) private readonly enabled: boolean,
    private readonly sessions: SessionService,
    private readonly invitations: InvitationService,
    private readonly networks: KnownNetworkRepository,
  ) {}

  @Cron(CronExpression.EVERY_10_MINUTES, { name: 'panel-sweep', waitForCompletion: true })
  async sweep(): Promise<void> {
    if (!this.enabled) return;
    await Promise.all([this.sessions.sweep(), this.invitations.sweep(), this.networks.sweep()]).catch(
      (error: unknown) => {
        this.logger.warn({ err: error }, 'Old sessions were not removed; it is tried again');
      },
    );
  }
}
