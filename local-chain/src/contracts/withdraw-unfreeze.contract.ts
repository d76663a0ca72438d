import { WITHDRAW_UNFREEZE, type OwnerOnlyMessage } from '../protobuf/contract.schema';
import { isAddress } from '../signing/address.codec';
import { addExact, hexOf, refuse, type ContractRule } from './contract.rule';
import { payOutExpired } from './stake.change';

export const withdrawUnfreezeContract: ContractRule<OwnerOnlyMessage> = {
  type: 56,
  schema: WITHDRAW_UNFREEZE,
  validate(world, message) {
    const owner = hexOf(message.owner_address);
    if (!isAddress(message.owner_address)) refuse('Invalid address');
    const account = world.findAccount(owner) ?? refuse(`Account[${owner}] not exists`);
    const due = account.unfreezing.filter((entry) => entry.amountSun > 0n && entry.expiresAt <= world.now);
    const sun = due.reduce((sum, entry) => sum + entry.amountSun, 0n);
    if (sun <= 0n) refuse('no unFreeze balance to withdraw ');
    addExact(account.balanceSun, sun);
  },
  execute(world, message) {
    const withdrawnSun = payOutExpired(world, world.editAccount(hexOf(message.owner_address)));
    return { feeSun: 0n, withdrawnSun };
  },
};
