import { Inject } from '@nestjs/common';
import { RestoreAdminService } from '../admin/restore-admin.service';
import { CliCommand, Command } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { type OutputOptions, printDocument } from './output';

interface ConfirmOptions extends OutputOptions {
  readonly revokeTokens?: boolean;
}

/** For each code, in words: what is as it was at the backup, for the operator to think of. */
const BROUGHT_BACK = {
  old_passwords:
    'passwords that users changed since the backup are the old ones again: send those users a new link (user:invite)',
  old_addresses:
    'e-mail addresses that users changed since the backup are the old ones again, and links for a new password go there: change them again (user:change-email)',
  removed_second_factors:
    'second factors and recovery codes are those of the backup: newer ones are gone, and removed or used ones work again',
  disabled_users:
    'users whom you disabled since can sign in again, and operators whose role you removed have it again; newer users are gone',
  decided_sign_ups: 'sign-ups that you decided since are waiting again: decide them again',
  shared_receipts: 'links to receipts that customers withdrew since work again',
  live_tokens:
    'tokens that were revoked since work again, unless --revoke-tokens has revoked all; tokens have their old limits',
  spent_limits:
    'daily limits, limits of tokens, free activations and subscriptions count only what was used before the backup',
  free_idempotency_keys:
    'idempotency keys that were used since are free: a caller who repeats an order gets a second one and pays for it',
  lost_money:
    'later credits, debits and charges are gone: book them again with their old references, but what a contract has paid ("deposit …") with deposit:credit-unexplained',
  lost_sweeps:
    'sweeps that became final since the backup are gone: until as much was paid again, no finding shows what contracts pay to an address that was swept. Compare such addresses with the chain (operations.md)',
  old_rates:
    'USDT that is paid waits until you set its rate again (deposit:rate), because a rate that you set or took back since the backup is gone',
  old_prices:
    'prices that you gave customers since the backup are gone, and the old ones count: give them again (user:update --unit-price)',
  voided_mails:
    'the service does not send the mails that waited at the backup: a user who waits for a link asks for another one',
  webhooks: 'webhooks and their secrets are those of the backup; events that were delivered since are delivered again',
} as const;

@Command({
  name: 'restore:confirm',
  description:
    'continue with this restored or copied database: the service signs again, and sessions and invitations end',
  options: [
    {
      flags: '--revoke-tokens',
      description: 'also revoke every API token, because callers may hold tokens that were revoked since',
    },
  ],
})
export class RestoreConfirmCommand extends CliCommand {
  @Inject() private readonly admin!: RestoreAdminService;

  async run(_: string[], options: ConfirmOptions): Promise<void> {
    const revokeTokens = options.revokeTokens === true;
    const done = await this.admin.confirm(commandLineOperator(), { revokeTokens });
    const { sessionsEnded: sessions_ended, invitationsEnded: invitations_ended, tokensRevoked: tokens_revoked } = done;
    const ended = { sessions_ended, invitations_ended, tokens_revoked, mails_voided: done.mailsVoided };
    printDocument({ ...ended, brought_back: Object.keys(BROUGHT_BACK) }, options);
    for (const [code, words] of Object.entries(BROUGHT_BACK)) process.stderr.write(`${code}: ${words}\n`);
  }
}
