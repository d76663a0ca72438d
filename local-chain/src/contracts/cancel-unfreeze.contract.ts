import { CANCEL_UNFREEZE, type OwnerOnlyMessage } from '../protobuf/contract.schema';
import { isAddress } from '../signing/address.codec';
import { hexOf, refuse, type ContractRule } from './contract.rule';
import { addStake, payOutExpired, stakeOf } from './stake.change';

export const cancelUnfreezeContract: ContractRule<OwnerOnlyMessage> = {
  type: 59,
  schema: CANCEL_UNFREEZE,
  validate(world, message) {
    const owner = hexOf(message.owner_address);
    if (!isAddress(message.owner_address)) refuse('Invalid address');
    const account = world.findAccount(owner) ?? refuse(`Account[${owner}] not exists`);
    if (account.unfreezing.length === 0) refuse('No unfreezeV2 list to cancel');
  },
  execute(world, message) {
    const account = world.editAccount(hexOf(message.owner_address));
    const withdrawnSun = payOutExpired(world, account);
    const cancelledSun = { net: 0n, energy: 0n, power: 0n };
    for (const entry of account.unfreezing) {
      const stake = stakeOf(entry.resource);
      addStake(world, account, stake, entry.amountSun);
      cancelledSun[stake] += entry.amountSun;
    }
    account.unfreezing = [];
    return { feeSun: 0n, withdrawnSun, cancelledSun };
  },
};
