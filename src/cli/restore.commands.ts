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
    'passwords that were changed since are the old ones again: invite the users who had a reason to change one (user:invite)',
  removed_second_factors:
    'second factors and recovery codes are those of the backup: new ones are gone, and removed or used ones work again',
  disabled_users: 'users who were disabled, or lost the rights of an operator, have them again; new users are gone',
  live_tokens:
    'tokens that were revoked since work again, unless --revoke-tokens has revoked all; their limits are the old ones',
  spent_limits: 'what counts in limits (by day, by token, of free activations) and subscriptions is what it was',
  free_idempotency_keys:
    'idempotency keys that were used since are free: a caller who repeats an order gets a second one, and pays for it',
  lost_money: 'credits, debits and charges since are gone: book them again, with their old references',
  voided_mails: 'mails that waited at the backup are not sent: who waits for a link asks for another one',
  webhooks: 'webhooks and their secrets are those of the backup; what was delivered since is delivered again',
} as const;

@Command({
  name: 'restore:confirm',
  description: 'goes on with this restored or copied database: it signs again, and sessions and invitations end',
  options: [{ flags: '--revoke-tokens', description: "revokes every API token, for callers' secrets may be old ones" }],
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
