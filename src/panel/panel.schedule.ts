import { Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { EmailChangeService } from '../auth/email-changes/email-change.service';
import { InvitationService } from '../auth/invitations/invitation.service';
import { KnownNetworkRepository } from '../auth/known-networks/known-network.repository';
import { PendingSignInRepository } from '../auth/pending-sign-ins/pending-sign-in.repository';
import { SessionService } from '../auth/sessions/session.service';
import { SignUpService } from '../auth/sign-ups/sign-up.service';
import { BackgroundJob } from '../common/background-job';
import { awaitAll } from '../common/concurrency/await-all';

@Injectable()
export class PanelSchedule {
  constructor(
    private readonly job: BackgroundJob,
    private readonly sessions: SessionService,
    private readonly pendingSignIns: PendingSignInRepository,
    private readonly invitations: InvitationService,
    private readonly networks: KnownNetworkRepository,
    private readonly signUps: SignUpService,
    private readonly emailChanges: EmailChangeService,
  ) {}

  @Cron(CronExpression.EVERY_10_MINUTES, { name: 'panel-sweep', waitForCompletion: true })
  async sweep(): Promise<void> {
    await this.job.run('The removal of old sessions, links and networks', () =>
      awaitAll(
        this.sessions.sweep(),
        this.pendingSignIns.sweep(),
        this.invitations.sweep(),
        this.networks.sweep(),
        this.signUps.sweep(),
        this.emailChanges.sweep(),
      ),
    );
  }
}
