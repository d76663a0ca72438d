import { Body, Get, Param, Post, Query, Req } from '@nestjs/common';
import {
  isSameChoice,
  type SeenWebhook,
  type WebhookChanges,
  WebhookAdminService,
} from '../../admin/webhook-admin.service';
import { DomainError } from '../../common/errors/domain.error';
import { listed } from '../../auth/tokens/token-limits';
import { type AttemptOutcome, MOST_REPLAYED, WebhookDeliveries } from '../../webhooks/webhook-deliveries';
import { DELIVERY_STATES, type DeliveryState } from '../../webhooks/webhooks.entities';
import { type WebhookRecord, WebhookService } from '../../webhooks/webhook.service';
import { ActLimits, LimitActs, type LimitedAct } from '../http/act-limit';
import { choicesOf, type Form, problemOf, textOf, uuidOf } from '../http/form';
import { operatorOf, type PanelRequest, ThisVisit, type UserVisit } from '../http/visit';
import { PanelController, PasswordAgain } from '../http/panel-controller.decorator';
import { Page, type Reply, SecretPage, SeeOther, submitAndRedirect } from '../http/reply';
import {
  confirmationPage,
  cutPage,
  formKeyOf,
  type FormProblem,
  groupDigits,
  PAGE_SIZE,
  shownIn,
} from '../layout/components';
import type { Messages } from '../messages/catalogues';
import { RecentPassword } from '../sign-in/recent-password';
import { DeliveryPage } from './delivery.page';
import { failedText } from './delivery-table';
import { NewWebhookPage, WebhookSecretPage } from './new-webhook.page';
import { WebhookListPage } from './webhook-list.page';
import { WebhookPage } from './webhook.page';

const LIST = '/panel/webhooks';

@PanelController('webhooks', 'user')
export class WebhookController {
  constructor(
    private readonly webhooks: WebhookService,
    private readonly deliveries: WebhookDeliveries,
    private readonly admin: WebhookAdminService,
    private readonly recentPassword: RecentPassword,
    private readonly actLimits: ActLimits,
  ) {}

  @Get()
  async list(@ThisVisit() visit: UserVisit): Promise<Reply> {
    const webhooks = await this.webhooks.list(visit.user.id);
    return new Page(visit.messages.webhook.title, <WebhookListPage webhooks={webhooks} />);
  }

  @Get('new')
  showForm(@ThisVisit() visit: UserVisit): Reply {
    return new Page(visit.messages.webhook.newWebhook, <NewWebhookPage />);
  }

  /**
   * The secret is shown once, on the page that this leads to. An address takes the password: it is told of every order,
   * and this service calls it.
   */
  @Post('new')
  @PasswordAgain()
  @LimitActs('webhook-calls')
  async create(@ThisVisit() visit: UserVisit, @Body() form: Form): Promise<Reply> {
    const messages = visit.messages.webhook;
    try {
      const { webhook, secret } = await this.admin.add(operatorOf(visit), visit.user.email, {
        id: formKeyOf(form) ?? undefined,
        url: textOf(form, 'url'),
        events: eventsOf(form) ?? undefined,
      });
      return secretPage(messages.createdTitle, webhook.id, secret);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'webhook.created-before') {
        return SeeOther.refused(LIST, messages.alreadyCreated);
      }
      const problem = problemOf(error, visit);
      return new Page(messages.newWebhook, <NewWebhookPage form={form} problem={problem} />, 422);
    }
  }

  @Get(':id')
  async show(@ThisVisit() visit: UserVisit, @Param('id') id: string, @Query() query: Form): Promise<Reply> {
    const webhook = await this.webhooks.get(id, visit.user.id);
    const state = DELIVERY_STATES.find((one) => one === textOf(query, 'state')) ?? null;
    return this.webhookPage(visit, webhook, { before: uuidOf(query, 'after'), state });
  }

  /** Another address takes the password, as a new one does. */
  @Post(':id')
  async change(
    @ThisVisit() visit: UserVisit,
    @Param('id') id: string,
    @Body() form: Form,
    @Req() request: PanelRequest,
  ): Promise<Reply> {
    const { user } = visit;
    const { changes, seen } = changesIn(form);
    const webhook = await this.webhooks.get(id, user.id);
    if (changes.url !== undefined) await this.recentPassword.require(request, visit, form);
    await this.actLimits.take('webhook-changes', user.id);
    try {
      await this.admin.update(operatorOf(visit), id, changes, user, seen);
      return SeeOther.done(`${LIST}/${id}`, visit.messages.webhook.changed);
    } catch (error) {
      const problem = problemOf(error, visit);
      return this.webhookPage(visit, webhook, {}, { form, problem });
    }
  }

  @Post(':id/test')
  async test(@ThisVisit() visit: UserVisit, @Param('id') id: string): Promise<Reply> {
    const messages = visit.messages.webhook;
    await this.own(visit, id, 'webhook-calls');
    let isDone = false;
    const reply = await submitAndRedirect(visit, `${LIST}/${id}`, async () => {
      const outcome = await this.admin.test(operatorOf(visit), id, visit.user);
      isDone = outcome.status !== null && outcome.status >= 200 && outcome.status < 300;
      return outcomeText(outcome, messages);
    });
    const { url, outcome } = reply;
    return new SeeOther(url, { kind: isDone ? 'done' : 'refused', text: outcome!.text });
  }

  /** Not limited, as removal is not: each can only undo what is. */
  @Post(':id/disable')
  disable(@ThisVisit() visit: UserVisit, @Param('id') id: string): Promise<Reply> {
    return this.setState(visit, id, 'disabled');
  }

  @Post(':id/enable')
  enable(@ThisVisit() visit: UserVisit, @Param('id') id: string): Promise<Reply> {
    return this.setState(visit, id, 'active');
  }

  @Get(':id/rotate')
  async confirmRotation(@ThisVisit() visit: UserVisit, @Param('id') id: string): Promise<Reply> {
    const messages = visit.messages.webhook;
    const { url } = await this.webhooks.get(id, visit.user.id);
    return confirmationPage({
      title: messages.rotateTitle,
      facts: [[messages.url, url]],
      text: messages.rotateText,
      action: `${LIST}/${id}/rotate`,
      button: messages.rotateNow,
      back: `${LIST}/${id}`,
    });
  }

  /** A second one, by a double click, makes one more: all of the last day's sign. Who sees the secret can sign as this service. */
  @Post(':id/rotate')
  @PasswordAgain()
  async rotate(@ThisVisit() visit: UserVisit, @Param('id') id: string): Promise<Reply> {
    try {
      await this.own(visit, id, 'webhook-changes');
      const secret = await this.admin.rotate(operatorOf(visit), id, visit.user);
      return secretPage(visit.messages.webhook.rotatedTitle, id, secret);
    } catch (error) {
      return SeeOther.refused(`${LIST}/${id}`, problemOf(error, visit).text);
    }
  }

  @Get(':id/remove')
  async confirmRemoval(@ThisVisit() visit: UserVisit, @Param('id') id: string): Promise<Reply> {
    const messages = visit.messages.webhook;
    const { url } = await this.webhooks.get(id, visit.user.id);
    return confirmationPage({
      title: messages.removeTitle,
      facts: [[messages.url, url]],
      text: messages.removeText,
      action: `${LIST}/${id}/remove`,
      button: messages.removeNow,
      back: `${LIST}/${id}`,
    });
  }

  @Post(':id/remove')
  remove(@ThisVisit() visit: UserVisit, @Param('id') id: string): Promise<Reply> {
    return submitAndRedirect(visit, LIST, async () => {
      await this.own(visit, id);
      await this.admin.remove(operatorOf(visit), id, visit.user);
      return visit.messages.webhook.wasRemoved;
    });
  }

  @Get(':id/deliveries/:delivery')
  async showDelivery(
    @ThisVisit() visit: UserVisit,
    @Param('id') id: string,
    @Param('delivery') delivery: string,
  ): Promise<Reply> {
    const webhook = await this.webhooks.get(id, visit.user.id);
    const sent = await this.deliveries.get(delivery, id, visit.user.id);
    return new Page(sent.event, <DeliveryPage webhook={webhook} delivery={sent} />);
  }

  @Get(':id/replay-failed')
  async confirmReplay(@ThisVisit() visit: UserVisit, @Param('id') id: string): Promise<Reply> {
    const messages = visit.messages.webhook;
    const { url } = await this.webhooks.get(id, visit.user.id);
    const failed = await this.deliveries.countFailed(id, visit.user.id);
    return confirmationPage({
      title: messages.replayFailedTitle,
      facts: [
        [messages.url, url],
        [messages.failedDeliveries, failedText(failed)],
      ],
      text: messages.replayFailedText(groupDigits(MOST_REPLAYED)),
      action: `${LIST}/${id}/replay-failed`,
      button: messages.replayFailed,
      back: `${LIST}/${id}`,
    });
  }

  /** Sent twice, the second finds none that failed. */
  @Post(':id/replay-failed')
  replayFailed(@ThisVisit() visit: UserVisit, @Param('id') id: string): Promise<Reply> {
    return submitAndRedirect(visit, `${LIST}/${id}`, async () => {
      await this.own(visit, id, 'webhook-calls');
      const replayed = await this.admin.replayFailed(operatorOf(visit), id, visit.user);
      return visit.messages.webhook.failedReplayed(groupDigits(replayed));
    });
  }

  @Post(':id/deliveries/:delivery/replay')
  replay(@ThisVisit() visit: UserVisit, @Param('id') id: string, @Param('delivery') delivery: string): Promise<Reply> {
    return submitAndRedirect(visit, `${LIST}/${id}`, async () => {
      await this.own(visit, await this.deliveries.webhookOf(delivery, visit.user.id), 'webhook-calls');
      await this.admin.replay(operatorOf(visit), delivery, visit.user);
      return visit.messages.webhook.replayed;
    });
  }

  /** Counted behind that: what is somebody else's is not there, counts nowhere and leaves no entry. */
  private async own({ user }: UserVisit, id: string, act?: LimitedAct): Promise<WebhookRecord> {
    const webhook = await this.webhooks.get(id, user.id);
    if (act) await this.actLimits.take(act, user.id);
    return webhook;
  }

  private setState(visit: UserVisit, id: string, state: 'active' | 'disabled'): Promise<Reply> {
    const { wasEnabled, wasDisabled } = visit.messages.webhook;
    return submitAndRedirect(visit, `${LIST}/${id}`, async () => {
      const webhook = await this.own(visit, id, state === 'active' ? 'webhook-changes' : undefined);
      if (webhook.state !== state) {
        await this.admin.update(operatorOf(visit), id, { state }, visit.user);
      }
      return state === 'active' ? wasEnabled : wasDisabled;
    });
  }

  private async webhookPage(
    visit: UserVisit,
    webhook: WebhookRecord,
    page: { readonly before?: string | null; readonly state?: DeliveryState | null },
    refused?: { readonly form: Form; readonly problem: FormProblem },
  ): Promise<Page> {
    const { user } = visit;
    const [found, failed] = await Promise.all([
      this.deliveries.list(webhook.id, { ...page, limit: PAGE_SIZE + 1 }, user.id),
      this.deliveries.countFailed(webhook.id, user.id),
    ]);
    const shown = { webhook, deliveries: cutPage(found, ({ id }) => id), state: page.state ?? null, failed };
    return new Page(new URL(webhook.url).host, <WebhookPage {...shown} {...refused} />, refused ? 422 : 200);
  }
}

/** What was changed in the form, and what it showed: the webhook may be another by now. */
function changesIn(form: Form): { changes: WebhookChanges; seen: SeenWebhook } {
  const [url, events, shown] = [textOf(form, 'url'), eventsOf(form), shownIn(form)];
  const seen = { url: textOf(shown, 'url'), events: allOrSome(listed(textOf(shown, 'events'))) };
  const changes = {
    ...(url !== seen.url && { url }),
    ...(!isSameChoice(events, seen.events) && { events }),
  };
  return { changes, seen };
}

/** None chosen: all. */
function eventsOf(form: Form): string[] | null {
  return allOrSome(choicesOf(form, 'events'));
}

function allOrSome(events: string[]): string[] | null {
  return events.length === 0 ? null : events;
}

function secretPage(title: string, webhookId: string, secret: string): Page {
  return new SecretPage(title, <WebhookSecretPage title={title} webhookId={webhookId} secret={secret} />);
}

function outcomeText({ status, reason, tookMs }: AttemptOutcome, messages: Messages['webhook']): string {
  if (reason !== null) return messages.unanswered(messages.noAnswer[reason]);
  return messages.answered(String(status), String(tookMs));
}
