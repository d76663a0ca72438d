import { Injectable } from '@nestjs/common';
import { GlanceRepository } from '../../reporting/glance/glance.repository';
import { EnergyOutlook } from '../../reporting/outlooks/energy-outlook';
import { AttentionService } from '../attention/attention.service';

/** What an operator wants to know before anything else, read at one moment: for the panel's first page and for the mail. */
@Injectable()
export class MorningGlance {
  constructor(
    private readonly attention: AttentionService,
    private readonly outlook: EnergyOutlook,
    private readonly figures: GlanceRepository,
  ) {}

  async read() {
    const [attention, energy, money, dry, quiet] = await Promise.all([
      this.attention.read(),
      this.outlook.ofPool(),
      this.figures.money(),
      this.figures.dry(),
      this.figures.quiet(),
    ]);
    return { attention, energy, money, dry, quiet };
  }
}

export type Glance = Awaited<ReturnType<MorningGlance['read']>>;
