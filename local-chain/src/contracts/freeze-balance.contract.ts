import { TRX } from '../chain/chain.parameters';
import { FREEZE, type FreezeMessage } from '../protobuf/contract.schema';
import { isAddress } from '../signing/address.codec';
import { hexOf, refuse, type ContractRule } from './contract.rule';
import { keepOldPower } from '../votes/tron.power';
import { addStake, checkStake, stakeOf } from './stake.change';

export const freezeBalanceContract: ContractRule<FreezeMessage> = {
  type: 54,
  schema: FREEZE,
  validate(world, message) {
    const owner = hexOf(message.owner_address);
    if (!isAddress(message.owner_address)) refuse('Invalid address');
    const account = world.findAccount(owner) ?? refuse(`Account[${owner}] not exists`);
    if (message.frozen_balance <= 0n) refuse('frozenBalance must be positive');
    if (message.frozen_balance < TRX) refuse('frozenBalance must be greater than or equal to 1 TRX');
    if (message.frozen_balance > account.balanceSun)
      refuse('frozenBalance must be less than or equal to accountBalance');
    checkStake(world, message.resource, 'ResourceCode error, valid ResourceCode', ['BANDWIDTH', 'ENERGY']);
  },
  execute(world, message) {
    const account = world.editAccount(hexOf(message.owner_address));
    keepOldPower(world, account);
    addStake(world, account, stakeOf(message.resource), message.frozen_balance);
    account.balanceSun -= message.frozen_balance;
    return { feeSun: 0n };
  },
};
