import { TRX } from '../chain/chain.parameters';
import { OLD_FREEZE, OLD_UNFREEZE, type OldFreezeMessage, type OldUnfreezeMessage } from '../protobuf/contract.schema';
import { isAddress } from '../signing/address.codec';
import type { WorldState } from '../state/world.state';
import { hexOf, refuse, type ContractOutcome, type ContractRule } from './contract.rule';
import { resourceOf } from './stake.change';

const DAYS = 3n;

/** Stake 1.0: all of it ends in a refusal, for this chain began after it was closed and no account has any. */
const neverRun = (): ContractOutcome => refuse('freeze v2 is open, old freeze is closed');

function validateReceiver(world: WorldState, message: OldFreezeMessage): void {
  if (message.receiver_address.length === 0) return;
  if (message.receiver_address.equals(message.owner_address))
    refuse('receiverAddress must not be the same as ownerAddress');
  if (!isAddress(message.receiver_address)) refuse('Invalid receiverAddress');
  const to = hexOf(message.receiver_address);
  const receiver = world.findAccount(to) ?? refuse(`Account[${to}] not exists`);
  if (receiver.type === 2) refuse('Do not allow delegate resources to contract addresses');
}

export const oldFreezeContract: ContractRule<OldFreezeMessage> = {
  type: 11,
  schema: OLD_FREEZE,
  validate(world, message) {
    const owner = hexOf(message.owner_address);
    if (!isAddress(message.owner_address)) refuse('Invalid address');
    const account = world.findAccount(owner) ?? refuse(`Account[${owner}] not exists`);
    if (message.frozen_balance <= 0n) refuse('frozenBalance must be positive');
    if (message.frozen_balance < TRX) refuse('frozenBalance must be greater than or equal to 1 TRX');
    if (message.frozen_balance > account.balanceSun)
      refuse('frozenBalance must be less than or equal to accountBalance');
    if (message.frozen_duration !== DAYS)
      refuse(`frozenDuration must be less than ${DAYS} days and more than ${DAYS} days`);
    if (!resourceOf(message.resource)) refuse('ResourceCode error,valid ResourceCode[BANDWIDTH、ENERGY]');
    validateReceiver(world, message);
    neverRun();
  },
  execute: neverRun,
};

export const oldUnfreezeContract: ContractRule<OldUnfreezeMessage> = {
  type: 12,
  schema: OLD_UNFREEZE,
  validate(world, message) {
    const owner = hexOf(message.owner_address);
    if (!isAddress(message.owner_address)) refuse('Invalid address');
    if (!world.findAccount(owner)) refuse(`Account[${owner}] does not exist`);
    if (message.receiver_address.length > 0) {
      if (message.receiver_address.equals(message.owner_address))
        refuse('receiverAddress must not be the same as ownerAddress');
      if (!isAddress(message.receiver_address)) refuse('Invalid receiverAddress');
      refuse('delegated Resource does not exist');
    }
    const resource = resourceOf(message.resource) ?? refuse('ResourceCode error.valid ResourceCode[BANDWIDTH、Energy]');
    refuse(resource === 'net' ? 'no frozenBalance(BANDWIDTH)' : 'no frozenBalance(Energy)');
  },
  execute: neverRun,
};
