import { Inject } from '@nestjs/common';
import { type WebhookChanges, WebhookAdminService } from '../admin/webhook-admin.service';
import { UserService } from '../users/user.service';
import { type DeliveryView, WebhookDeliveries } from '../webhooks/webhook-deliveries';
import { WEBHOOK_EVENTS } from '../webhooks/webhook-events';
import { checkEvents, type WebhookRecord, WebhookService } from '../webhooks/webhook.service';
import { CliCommand, Command, type CommandOption } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { ListCommand, type ListOptions } from './list-command';
import { BY_ID, OF_USER, parseId } from './option-parsers';
import { type OutputOptions, printDocument, printLine, printList } from './output';
import { UsageError } from './usage.error';

const WEBHOOK_COLUMNS = ['id', 'url', 'events', 'state', 'disabled_reason', 'failing_since', 'created_at'];
const DELIVERY_COLUMNS = ['id', 'event', 'state', 'attempts', 'status', 'reason', 'ms', 'at', 'next_at', 'created_at'];
/** The parser turns null into an empty string, so the word itself goes through it. */
const ALL = 'all';

function webhookDocument(webhook: WebhookRecord) {
  return {
    id: webhook.id,
    url: webhook.url,
    events: webhook.events ?? WEBHOOK_EVENTS,
    state: webhook.state,
    disabled_reason: webhook.disabledReason,
    failing_since: webhook.failingSince?.toISOString() ?? null,
    created_at: webhook.createdAt.toISOString(),
  };
}

function deliveryDocument(delivery: DeliveryView) {
  return {
    id: delivery.id,
    event: delivery.event,
    state: delivery.state,
    attempts: delivery.attempts,
    status: delivery.status,
    reason: delivery.reason,
    ms: delivery.tookMs,
    at: delivery.attemptedAt?.toISOString() ?? null,
    next_at: delivery.nextAt?.toISOString() ?? null,
    created_at: delivery.createdAt.toISOString(),
  };
}

/** `otherwise`: what all of them are. */
const eventsOption = (otherwise: string): CommandOption => ({
  flags: '--events <list>',
  description: `some of ${WEBHOOK_EVENTS.join(',')}; ${otherwise}`,
  read: (list) => (list === ALL ? ALL : checkEvents(list.split(',').map((event) => event.trim()))),
});

interface AddOptions extends OutputOptions {
  readonly user: string;
  readonly url: string;
  readonly events?: string[] | typeof ALL;
}

@Command({
  name: 'webhook:add',
  description:
    "add a webhook, which sends events to a user's own server, and print its signing secret; this is the only time it is shown",
  options: [
    OF_USER,
    {
      flags: '--url <url>',
      description: 'an https URL; others only with WEBHOOK_ALLOW_PRIVATE',
      read: String,
      required: true,
    },
    eventsOption('default: all'),
  ],
})
export class WebhookAddCommand extends CliCommand {
  @Inject() private readonly admin!: WebhookAdminService;

  async run(_: string[], { user, url, events, ...options }: AddOptions): Promise<void> {
    const wanted = { url, events: events === ALL ? undefined : events };
    const { webhook, secret } = await this.admin.add(commandLineOperator(), user, wanted);
    const { id, url: kept, events: chosen, state, created_at } = webhookDocument(webhook);
    printDocument({ id, url: kept, events: chosen, secret, state, created_at }, options);
  }
}

@Command({
  name: 'webhook:list',
  description: "list a user's webhooks, oldest first, without their secrets",
  options: [OF_USER],
})
export class WebhookListCommand extends ListCommand {
  @Inject() private readonly users!: UserService;
  @Inject() private readonly webhooks!: WebhookService;

  async run(_: string[], options: ListOptions & { user: string }): Promise<void> {
    const { id } = await this.users.get(options.user);
    const webhooks = (await this.webhooks.list(id)).slice(0, options.limit);
    printList(WEBHOOK_COLUMNS, webhooks.map(webhookDocument), options);
  }
}

interface UpdateOptions extends OutputOptions {
  readonly url?: string;
  readonly events?: string[] | typeof ALL;
  readonly enable?: boolean;
  readonly disable?: boolean;
}

@Command({
  name: 'webhook:update',
  argument: BY_ID,
  description: 'change the settings that you give, and keep the others',
  options: [
    { flags: '--url <url>', read: String },
    eventsOption('or "all"'),
    { flags: '--disable', description: 'send nothing until the webhook is enabled again; waiting events are kept' },
    {
      flags: '--enable',
      description: 'send events again, also after the service disabled the webhook for its failures',
    },
  ],
})
export class WebhookUpdateCommand extends CliCommand {
  @Inject() private readonly admin!: WebhookAdminService;

  override check(params: string[], options: UpdateOptions): void {
    super.check(params, options);
    if (options.enable && options.disable) throw new UsageError('--enable and --disable exclude each other');
  }

  async run([id]: string[], { url, events, enable, disable, ...options }: UpdateOptions): Promise<void> {
    const state: WebhookChanges['state'] = enable ? 'active' : disable ? 'disabled' : undefined;
    const changes = { url, events: events === ALL ? null : events, state };
    printDocument(webhookDocument(await this.admin.update(commandLineOperator(), parseId(id!), changes)), options);
  }
}

@Command({
  name: 'webhook:rotate',
  argument: BY_ID,
  description:
    'make a new secret and print it; this is the only time it is shown. The old secret also signs for 24 hours',
})
export class WebhookRotateCommand extends CliCommand {
  @Inject() private readonly admin!: WebhookAdminService;

  async run([id]: string[], options: OutputOptions): Promise<void> {
    const secret = await this.admin.rotate(commandLineOperator(), parseId(id!));
    if (!options.json) return printLine(secret);
    printDocument({ secret }, options);
  }
}

@Command({
  name: 'webhook:test',
  argument: BY_ID,
  description: 'send a test event and print the status of the answer; null without an answer',
})
export class WebhookTestCommand extends CliCommand {
  @Inject() private readonly admin!: WebhookAdminService;

  async run([id]: string[], options: OutputOptions): Promise<void> {
    const { status, tookMs, reason } = await this.admin.test(commandLineOperator(), parseId(id!));
    if (status === null || status < 200 || status >= 300) process.exitCode = 1;
    printDocument({ status, ms: tookMs, reason }, options);
  }
}

@Command({
  name: 'webhook:deliveries',
  argument: BY_ID,
  description: 'list the deliveries of a webhook in the last 30 days, newest first',
})
export class WebhookDeliveriesCommand extends ListCommand {
  @Inject() private readonly deliveries!: WebhookDeliveries;

  async run([id]: string[], options: ListOptions): Promise<void> {
    const found = await this.deliveries.list(parseId(id!), { limit: options.limit });
    printList(DELIVERY_COLUMNS, found.map(deliveryDocument), options);
  }
}

@Command({
  name: 'webhook:replay',
  argument: { name: '<delivery>', read: parseId },
  description: 'send a delivery again, with the same id and from the beginning of its schedule',
})
export class WebhookReplayCommand extends CliCommand {
  @Inject() private readonly admin!: WebhookAdminService;

  async run([id]: string[], options: OutputOptions): Promise<void> {
    printDocument(deliveryDocument(await this.admin.replay(commandLineOperator(), parseId(id!))), options);
  }
}

@Command({
  name: 'webhook:remove',
  argument: BY_ID,
  description: 'remove a webhook with its deliveries',
})
export class WebhookRemoveCommand extends CliCommand {
  @Inject() private readonly admin!: WebhookAdminService;

  async run([id]: string[], options: OutputOptions): Promise<void> {
    await this.admin.remove(commandLineOperator(), parseId(id!));
    printDocument({ id, state: 'removed' }, options);
  }
}
