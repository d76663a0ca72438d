import { BalanceCreditCommand } from './balance-credit.command';
import { BalanceDebitCommand } from './balance-debit.command';
import { BalanceShowCommand } from './balance-show.command';
import { LedgerListCommand } from './ledger-list.command';
import { SubscriptionCreateCommand } from './subscription-create.command';
import { SubscriptionEndCommand } from './subscription-end.command';
import { SubscriptionListCommand } from './subscription-list.command';
import { TokenCreateCommand } from './token-create.command';
import { TokenListCommand } from './token-list.command';
import { TokenRevokeCommand } from './token-revoke.command';
import { UserCreateCommand } from './user-create.command';
import { UserDisableCommand } from './user-disable.command';
import { UserEnableCommand } from './user-enable.command';
import { UserInviteCommand } from './user-invite.command';
import { UserListCommand } from './user-list.command';
import { UserUpdateCommand } from './user-update.command';

export const USER_AND_MONEY_COMMANDS = [
  UserCreateCommand,
  UserUpdateCommand,
  UserDisableCommand,
  UserEnableCommand,
  UserInviteCommand,
  UserListCommand,
  TokenCreateCommand,
  TokenListCommand,
  TokenRevokeCommand,
  BalanceCreditCommand,
  BalanceDebitCommand,
  BalanceShowCommand,
  LedgerListCommand,
  SubscriptionCreateCommand,
  SubscriptionEndCommand,
  SubscriptionListCommand,
];
