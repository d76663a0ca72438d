import { UNDELEGATE, type UndelegateMessage } from '../protobuf/contract.schema';
import { limitOf } from '../resources/resource.limit';
import { increase, takeOver } from '../resources/usage.window';
import { isAddress } from '../signing/address.codec';
import { stakeSun, type Account, type ResourceName } from '../state/account.model';
import type { WorldState } from '../state/world.state';
import { hexOf, refuse, type ContractRule } from './contract.rule';
import { unlockExpired } from './delegation.unlock';
import { resourceOf } from './stake.change';

const SHORTAGE = {
  net: 'insufficient delegatedFrozenBalance(BANDWIDTH)',
  energy: 'insufficient delegateFrozenBalance(Energy)',
};

function availableSun(world: WorldState, from: string, to: string, resource: ResourceName): bigint {
  const locked = world.findDelegation(from, to, true)?.[resource];
  const unlockedSun = world.findDelegation(from, to, false)?.[resource].amountSun ?? 0n;
  return unlockedSun + (locked && locked.expiresAt < world.now ? locked.amountSun : 0n);
}

/** Takes the stake from the receiver, and with it the share of its use that the stake carried; that share. */
function takeBack(world: WorldState, receiver: Account, resource: ResourceName, sun: bigint): bigint {
  const lent = receiver[resource];
  increase(lent, 0n, world.slot);
  let moved = 0n;
  if (lent.acquiredSun < sun) lent.acquiredSun = 0n;
  else {
    const share = BigInt(Math.trunc(Number(lent.used) * (Number(sun) / Number(stakeSun(lent)))));
    const most = limitOf(sun, world.network, resource);
    moved = share < most ? share : most;
    lent.acquiredSun -= sun;
  }
  lent.used -= moved;
  lent.slot = world.slot;
  return moved;
}

export const undelegateResourceContract: ContractRule<UndelegateMessage> = {
  type: 58,
  schema: UNDELEGATE,
  validate(world, message) {
    const [from, to] = [hexOf(message.owner_address), hexOf(message.receiver_address)];
    if (!isAddress(message.owner_address)) refuse('Invalid address');
    if (!world.findAccount(from)) refuse(`Account[${from}] does not exist`);
    if (!isAddress(message.receiver_address)) refuse('Invalid receiverAddress');
    if (from === to) refuse('receiverAddress must not be the same as ownerAddress');
    if (!world.findDelegation(from, to, false) && !world.findDelegation(from, to, true))
      refuse('delegated Resource does not exist');
    if (message.balance <= 0n) refuse('unDelegateBalance must be more than 0 TRX');
    const resource = resourceOf(message.resource) ?? refuse('ResourceCode error.valid ResourceCode[BANDWIDTH、Energy]');
    const available = availableSun(world, from, to, resource);
    if (available < message.balance)
      refuse(`${SHORTAGE[resource]}, request=${message.balance}, unlock_balance=${available}`);
  },
  execute(world, message) {
    const [from, to] = [hexOf(message.owner_address), hexOf(message.receiver_address)];
    const resource = resourceOf(message.resource)!;
    const receiver = world.findAccount(to) && world.editAccount(to);
    const moved = receiver ? takeBack(world, receiver, resource, message.balance) : 0n;
    unlockExpired(world, from, to);
    world.editDelegation(from, to, false)[resource].amountSun -= message.balance;
    world.dropEmptyDelegation(from, to, false);
    if (!world.findDelegation(from, to, false) && !world.findDelegation(from, to, true)) world.unindex(from, to);
    const own = world.editAccount(from)[resource];
    own.delegatedSun -= message.balance;
    own.frozenSun += message.balance;
    if (receiver && moved > 0n) takeOver(own, receiver[resource], moved, world.slot);
    return { feeSun: 0n };
  },
};
