import { Command, Option } from 'nest-commander';
import { type WebhookChanges, WebhookAdminService } from '../admin/webhook-admin.service';
import { UserService } from '../users/user.service';
import { checkEmail } from '../users/user.validation';
import { type DeliveryView, WebhookDeliveries } from '../webhooks/webhook-deliveries';
import { WEBHOOK_EVENTS } from '../webhooks/webhook-events';
import { checkEvents, type WebhookRecord, WebhookService } from '../webhooks/webhook.service';
import { CliCommand } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { ListCommand, type ListOptions } from './list-command';
import { parseId } from './option-parsers';
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

function readEventList(list: string): string[] | typeof ALL {
  return list === ALL ? ALL : checkEvents(list.split(',').map((event) => event.trim()));
}

/** Commands on one webhook, or one delivery, by its id. */
abstract class ById extends CliCommand {
  override check([id]: string[], _options: object = {}): void {
    parseId(id!);
  }
}

interface AddOptions extends OutputOptions {
  readonly user: string;
  readonly url: string;
  readonly events?: string[] | typeof ALL;
}

@Command({
  name: 'webhook:add',
  description: "tell a user's own server of events, and print the secret that signs, the only time it is shown",
})
export class WebhookAddCommand extends CliCommand {
  constructor(private readonly admin: WebhookAdminService) {
    super();
  }

  @Option({ flags: '--user <email>', required: true })
  protected readUser(email: string): string {
    return checkEmail(email);
  }

  @Option({ flags: '--url <url>', description: 'https; others only with WEBHOOK_ALLOW_PRIVATE', required: true })
  protected readUrl(url: string): string {
    return url;
  }

  @Option({ flags: '--events <list>', description: `${WEBHOOK_EVENTS.join(',')} or some of them; all without it` })
  protected readEvents(list: string): string[] | typeof ALL {
    return readEventList(list);
  }

  async run(_: string[], { user, url, events, ...options }: AddOptions): Promise<void> {
    const wanted = { url, events: events === ALL ? undefined : events };
    const { webhook, secret } = await this.admin.add(commandLineOperator(), user, wanted);
    const { id, url: kept, events: chosen, state, created_at } = webhookDocument(webhook);
    printDocument({ id, url: kept, events: chosen, secret, state, created_at }, options);
  }
}

@Command({ name: 'webhook:list', description: "a user's webhooks, oldest first, without their secrets" })
export class WebhookListCommand extends ListCommand {
  constructor(
    private readonly users: UserService,
    private readonly webhooks: WebhookService,
  ) {
    super();
  }

  @Option({ flags: '--user <email>', required: true })
  protected readUser(email: string): string {
    return checkEmail(email);
  }

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

@Command({ name: 'webhook:update', arguments: '<id>', description: 'change what is given, keep the rest' })
export class WebhookUpdateCommand extends ById {
  constructor(private readonly admin: WebhookAdminService) {
    super();
  }

  @Option({ flags: '--url <url>' })
  protected readUrl(url: string): string {
    return url;
  }

  @Option({ flags: '--events <list>', description: `${WEBHOOK_EVENTS.join(',')} or some of them; or "all"` })
  protected readEvents(list: string): string[] | typeof ALL {
    return readEventList(list);
  }

  @Option({ flags: '--disable', description: 'send nothing until it is enabled; what waits goes on waiting' })
  protected readDisable(): boolean {
    return true;
  }

  @Option({ flags: '--enable', description: 'send again, also after it was disabled for its failures' })
  protected readEnable(): boolean {
    return true;
  }

  override check(params: string[], options: UpdateOptions): void {
    super.check(params);
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
  arguments: '<id>',
  description: 'make a new secret and print it, the only time it is shown; the old one signs too for 24 hours',
})
export class WebhookRotateCommand extends ById {
  constructor(private readonly admin: WebhookAdminService) {
    super();
  }

  async run([id]: string[], options: OutputOptions): Promise<void> {
    const secret = await this.admin.rotate(commandLineOperator(), parseId(id!));
    if (!options.json) return printLine(secret);
    printDocument({ secret }, options);
  }
}

@Command({
  name: 'webhook:test',
  arguments: '<id>',
  description: 'send an event of its own and print the status it was answered with; null without an answer',
})
export class WebhookTestCommand extends ById {
  constructor(private readonly admin: WebhookAdminService) {
    super();
  }

  async run([id]: string[], options: OutputOptions): Promise<void> {
    const { status, tookMs, reason } = await this.admin.test(commandLineOperator(), parseId(id!));
    if (status === null || status < 200 || status >= 300) process.exitCode = 1;
    printDocument({ status, ms: tookMs, reason }, options);
  }
}

@Command({ name: 'webhook:deliveries', arguments: '<id>', description: 'of the last 30 days, newest first' })
export class WebhookDeliveriesCommand extends ListCommand {
  constructor(private readonly deliveries: WebhookDeliveries) {
    super();
  }

  override check([id]: string[]): void {
    parseId(id!);
  }

  async run([id]: string[], options: ListOptions): Promise<void> {
    const found = await this.deliveries.list(parseId(id!), { limit: options.limit });
    printList(DELIVERY_COLUMNS, found.map(deliveryDocument), options);
  }
}

@Command({
  name: 'webhook:replay',
  arguments: '<delivery>',
  description: 'send a delivery again, under the same id and from the beginning of its schedule',
})
export class WebhookReplayCommand extends ById {
  constructor(private readonly admin: WebhookAdminService) {
    super();
  }

  async run([id]: string[], options: OutputOptions): Promise<void> {
    printDocument(deliveryDocument(await this.admin.replay(commandLineOperator(), parseId(id!))), options);
  }
}

@Command({
  name: 'webhook:remove',
  arguments: '<id>',
  description: 'send nothing more, and delete it with its deliveries',
})
export class WebhookRemoveCommand extends ById {
  constructor(private readonly admin: WebhookAdminService) {
    super();
  }

  async run([id]: string[], options: OutputOptions): Promise<void> {
    await this.admin.remove(commandLineOperator(), parseId(id!));
    printDocument({ id, state: 'removed' }, options);
  }
}
