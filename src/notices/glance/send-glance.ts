import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { PanelAddress } from '../../common/http/panel-address';
import { Sql } from '../../database/sql';
import { NoticeRepository } from '../notice.repository';
import { WatchTroubles } from '../watch-troubles';
import { glanceItems } from './glance-items';
import { GlanceTurnRepository } from './glance-turn.repository';
import { MorningGlance } from './morning-glance';

/** Sends operators the glance once a day, at the time that the settings choose. */
@Injectable()
export class SendGlance {
  constructor(
    private readonly sql: Sql,
    private readonly turns: GlanceTurnRepository,
    private readonly glance: MorningGlance,
    private readonly notices: NoticeRepository,
    private readonly watch: WatchTroubles,
    private readonly address: PanelAddress,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  /** Every instance asks; one of them writes the message, in one transaction with its claim. */
  async sendDue(): Promise<void> {
    const { glance: time } = this.configuration.notices;
    if (time === null || !(await this.turns.isDue(time))) return;
    const choices = await this.notices.choices();
    const channels = this.watch.operatorChannels().filter((channel) => choices[channel].includes('glance'));
    const items = channels.length === 0 ? [] : glanceItems(await this.glance.read(), this.address.baseUrl());
    await this.sql.transaction(async (tx) => {
      if (!(await this.turns.claim(time, tx))) return;
      for (const channel of channels) await this.notices.enqueue(channel, null, items, tx);
    });
  }
}
