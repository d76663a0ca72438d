import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { Sql } from '../database/sql';
import { FindTroubles } from './find-troubles';
import { type AnyKind, type Channel, OPERATOR_CHANNELS, type OperatorChannel, type Trouble } from './notice-kinds';
import { NoticeRepository } from './notice.repository';

/** Looks at what is wrong and puts what is to be told into the outbox, with the marks in one transaction. */
@Injectable()
export class WatchTroubles {
  constructor(
    private readonly sql: Sql,
    private readonly troubles: FindTroubles,
    private readonly notices: NoticeRepository,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  /** The ways that are set up. */
  channels(): Channel[] {
    const { email } = this.configuration.notices;
    return [...this.operatorChannels(), ...(email ? (['customers'] as const) : [])];
  }

  /** Those of them that lead to operators. */
  operatorChannels(): OperatorChannel[] {
    return OPERATOR_CHANNELS.filter((channel) => this.configuration.notices[channel]);
  }

  /**
   * Every instance looks; for each trouble one of them sends a notice. A kind that no channel sends is not marked: once an operator chooses
   * it, the notice is sent.
   */
  async look(): Promise<void> {
    const open = this.channels();
    if (open.length === 0) return;
    const choices = await this.notices.choices();
    const operatorChannels = this.operatorChannels();
    const wanted = new Set(operatorChannels.flatMap((channel) => choices[channel]));
    if (wanted.size > 0) await this.tellOperators(operatorChannels, choices, wanted);
    if (open.includes('customers') && choices.customers.length > 0) await this.tellCustomers();
  }

  private async tellOperators(
    channels: readonly Channel[],
    choices: Readonly<Record<Channel, readonly AnyKind[]>>,
    wanted: ReadonlySet<AnyKind>,
  ): Promise<void> {
    const now = (await this.troubles.ofService()).filter(({ kind }) => wanted.has(kind));
    await this.sql.transaction(async (tx) => {
      const due = await this.notices.mark(now, tx);
      for (const channel of channels) {
        const items = due.filter(({ kind }) => choices[channel].includes(kind)).map(itemOf);
        if (items.length > 0) await this.notices.enqueue(channel, null, items, tx);
      }
    });
  }

  private async tellCustomers(): Promise<void> {
    const low = await this.troubles.ofCustomers();
    await this.sql.transaction(async (tx) => {
      const due = new Set((await this.notices.mark(low, tx)).map(({ thing }) => thing));
      for (const one of low.filter(({ thing }) => due.has(thing))) {
        await this.notices.enqueue('customers', one.userId, [itemOf(one)], tx);
      }
    });
  }
}

function itemOf({ kind, text }: Trouble) {
  return { kind, text };
}
