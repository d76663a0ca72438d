import type { KeyRule, Role } from '../configuration/configuration';
import { isAddress } from '../curve/address';
import type { Action, Kind } from '../protobuf/contracts';
import type { Transaction } from '../protobuf/transaction.reader';
import { readMessage } from '../protobuf/wire.reader';
import { RefusalError } from '../refusal';

/** protocol.ResourceCode */
const ENERGY = 1n;
const LAST_RESOURCE = 2n;
const MOST_TRANSFER_SUN = 1_000_000n;
const MOST_VOTES = 30;
const LONGEST_LIFE_MS = 24 * 60 * 60 * 1_000;

const KINDS: Readonly<Record<Role, readonly Kind[]>> = {
  delegate: ['DelegateResourceContract', 'UnDelegateResourceContract'],
  activate: ['TransferContract'],
  stake: [
    'VoteWitnessContract',
    'WithdrawBalanceContract',
    'FreezeBalanceV2Contract',
    'WithdrawExpireUnfreezeContract',
    'UnfreezeBalanceV2Contract',
    'CancelAllUnfreezeV2Contract',
  ],
};
/** They need the key's `"unfreeze": true` too. */
const UNFREEZING: readonly Kind[] = ['UnfreezeBalanceV2Contract', 'CancelAllUnfreezeV2Contract'];

const refuse = (message: string): never => {
  throw new RefusalError('not_allowed', message);
};

/** Whether the key may sign it, limits aside. @throws RefusalError */
export function checkAllowed(rule: KeyRule, transaction: Transaction, nowMs: number): void {
  const { action, owner, permissionId, expirationMs } = transaction;
  if (!KINDS[rule.role].includes(action.kind)) refuse(`the role ${rule.role} signs no ${action.kind}`);
  if (UNFREEZING.includes(action.kind) && !rule.mayUnfreeze) refuse(`the key may not unfreeze: ${action.kind}`);
  if (!owner.equals(rule.address)) refuse("the owner is not the key's address");
  if (permissionId !== BigInt(rule.permissionId))
    refuse(`permission ${permissionId}, and the key's is ${rule.permissionId}`);
  if (expirationMs <= 0n) refuse('no expiration');
  if (expirationMs > BigInt(nowMs + LONGEST_LIFE_MS)) refuse('the expiration is more than 24 hours ahead');
  checkAction(action);
}

function checkAction(action: Action): void {
  switch (action.kind) {
    case 'DelegateResourceContract':
      if (action.lock !== 0n || action.lockPeriod !== 0n) refuse('the delegation is locked');
      return checkEnergy(action);
    case 'UnDelegateResourceContract':
      return checkEnergy(action);
    case 'TransferContract':
      checkReceiver(action.receiver);
      checkAmount(action.amountSun);
      if (action.amountSun > MOST_TRANSFER_SUN) refuse(`a transfer of ${action.amountSun} sun, and 1 TRX is the most`);
      return;
    case 'FreezeBalanceV2Contract':
    case 'UnfreezeBalanceV2Contract':
      checkAmount(action.amountSun);
      if (action.resource < 0n || action.resource > LAST_RESOURCE) refuse(`resource ${action.resource}`);
      return;
    case 'VoteWitnessContract':
      return checkVotes(action.votes);
    case 'WithdrawBalanceContract':
    case 'WithdrawExpireUnfreezeContract':
    case 'CancelAllUnfreezeV2Contract':
      // They say whose they are, and nothing else.
      return;
  }
}

function checkEnergy(action: { amountSun: bigint; resource: bigint; receiver: Buffer }): void {
  if (action.resource !== ENERGY) refuse(`resource ${action.resource}, and the key lends energy alone`);
  checkReceiver(action.receiver);
  checkAmount(action.amountSun);
}

function checkReceiver(receiver: Buffer): void {
  if (!isAddress(receiver)) refuse('the receiver is not an address of 21 bytes that begin with 41');
}

function checkAmount(amountSun: bigint): void {
  if (amountSun <= 0n) refuse(`an amount of ${amountSun} sun`);
}

function checkVotes(votes: readonly Buffer[]): void {
  if (votes.length === 0 || votes.length > MOST_VOTES) refuse(`${votes.length} votes`);
  for (const bytes of votes) {
    const vote = readMessage(bytes, { 1: 'bytes', 2: 'integer' }, 'vote');
    if (!isAddress(vote.bytes(1))) refuse('a vote for what is not an address');
    if (vote.integer(2) <= 0n) refuse(`${vote.integer(2)} votes for an address`);
  }
}
