import { Injectable } from '@nestjs/common';
import { type Finding, finding } from '../../findings/finding';
import { BurnedWeeks } from '../../reporting/burned-bandwidth/burned-week';

/** Above this share of a week's revenue, stake for bandwidth soon costs less than burning. */
const MOST_PERCENT = 5n;

/** What bandwidth takes of the revenue, as nodes say. */
@Injectable()
export class BurnedAlarms {
  constructor(private readonly weeks: BurnedWeeks) {}

  async read(): Promise<Finding[]> {
    const share = await this.weeks.share();
    if (!share || share.burnedSun * 100n <= share.broughtSun * MOST_PERCENT) return [];
    const { burnedSun, broughtSun, percent } = share;
    const has = { burned_sun: String(burnedSun), brought_sun: String(broughtSun), percent: percent?.toFixed(1) ?? '' };
    return [finding('bandwidth_burned', has, { type: 'pool' })];
  }
}
