import { PARAMETERS, TRX } from '../chain/chain.parameters';
import { DELEGATE, RESOURCE_CODE, type DelegateMessage } from '../protobuf/contract.schema';
import { delegableSun, delegationBytes } from '../resources/delegable.maximum';
import { isAddress } from '../signing/address.codec';
import type { Account } from '../state/account.model';
import type { WorldState } from '../state/world.state';
import { hexOf, refuse, type ContractRule } from './contract.rule';
import { unlockExpired } from './delegation.unlock';
import { resourceOf } from './stake.change';

const lockBlocks = (message: DelegateMessage): bigint =>
  message.lock_period === 0n ? PARAMETERS.defaultLockBlocks : message.lock_period;

function validateStake(world: WorldState, owner: Account, message: DelegateMessage, building: boolean): void {
  const resource = resourceOf(message.resource) ?? refuse('ResourceCode error, valid ResourceCode[BANDWIDTH、ENERGY]');
  const reserve = building && resource === 'net' ? delegationBytes(owner.net.frozenSun, world.parameters) : 0n;
  if (delegableSun(world, owner, resource, reserve) >= message.balance) return;
  const stake = resource === 'net' ? 'FreezeBandwidthV2' : 'FreezeEnergyV2';
  refuse(`delegateBalance must be less than or equal to available ${stake} balance`);
}

function validateLock(world: WorldState, message: DelegateMessage): void {
  const blocks = lockBlocks(message);
  if (blocks < 0n || blocks > world.parameters.maxLockBlocks)
    refuse(
      `The lock period of delegate resource cannot be less than 0 and cannot exceed ${world.parameters.maxLockBlocks}!`,
    );
  const locked = world.findDelegation(hexOf(message.owner_address), hexOf(message.receiver_address), true);
  if (!locked) return;
  const remainingMs = BigInt(locked[resourceOf(message.resource)!].expiresAt - world.now);
  const name = RESOURCE_CODE.findName(message.resource);
  if (blocks * BigInt(PARAMETERS.slotMs) < remainingMs)
    refuse(
      `The lock period for ${name} this time cannot be less than the remaining time[${remainingMs}ms] of the last lock period for ${name}!`,
    );
}

export const delegateResourceContract: ContractRule<DelegateMessage> = {
  type: 57,
  schema: DELEGATE,
  validate(world, message, building) {
    const [from, to] = [hexOf(message.owner_address), hexOf(message.receiver_address)];
    if (!isAddress(message.owner_address)) refuse('Invalid address');
    const owner = world.findAccount(from) ?? refuse(`Account[${from}] not exists`);
    if (message.balance < TRX) refuse('delegateBalance must be greater than or equal to 1 TRX');
    validateStake(world, owner, message, building);
    if (!isAddress(message.receiver_address)) refuse('Invalid receiverAddress');
    if (from === to) refuse('receiverAddress must not be the same as ownerAddress');
    const receiver = world.findAccount(to) ?? refuse(`Account[${to}] not exists`);
    if (message.lock) validateLock(world, message);
    if (receiver.type === 2) refuse('Do not allow delegate resources to contract addresses');
  },
  execute(world, message) {
    const [from, to] = [hexOf(message.owner_address), hexOf(message.receiver_address)];
    const resource = resourceOf(message.resource)!;
    unlockExpired(world, from, to);
    const part = world.editDelegation(from, to, message.lock)[resource];
    part.amountSun += message.balance;
    part.expiresAt = message.lock ? world.now + Number(lockBlocks(message)) * PARAMETERS.slotMs : 0;
    world.index(from, to);
    world.editAccount(to)[resource].acquiredSun += message.balance;
    const own = world.editAccount(from)[resource];
    own.delegatedSun += message.balance;
    own.frozenSun -= message.balance;
    return { feeSun: 0n };
  },
};
