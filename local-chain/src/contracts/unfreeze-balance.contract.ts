import { PARAMETERS } from '../chain/chain.parameters';
import { UNFREEZE, type UnfreezeMessage } from '../protobuf/contract.schema';
import { isAddress } from '../signing/address.codec';
import { hexOf, refuse, type ContractRule } from './contract.rule';
import { shrinkVotes, keepOldPower } from '../votes/tron.power';
import { collectReward } from '../votes/voter.reward';
import { addStake, checkStake, payOutExpired, stakedSun, stakeOf } from './stake.change';

const NOTHING_FROZEN = {
  net: 'no frozenBalance(BANDWIDTH)',
  energy: 'no frozenBalance(Energy)',
  power: 'no frozenBalance(TronPower)',
};

export const unfreezeBalanceContract: ContractRule<UnfreezeMessage> = {
  type: 55,
  schema: UNFREEZE,
  validate(world, message) {
    const owner = hexOf(message.owner_address);
    if (!isAddress(message.owner_address)) refuse('Invalid address');
    const account = world.findAccount(owner) ?? refuse(`Account[${owner}] does not exist`);
    const stake = checkStake(world, message.resource, 'ResourceCode error.valid ResourceCode', ['BANDWIDTH', 'Energy']);
    const frozenSun = stakedSun(account, stake);
    if (frozenSun <= 0n) refuse(NOTHING_FROZEN[stake]);
    if (message.unfreeze_balance <= 0n || message.unfreeze_balance > frozenSun)
      refuse(`Invalid unfreeze_balance, [${message.unfreeze_balance}] is error`);
    const waiting = account.unfreezing.filter((entry) => entry.expiresAt > world.now).length;
    if (waiting >= PARAMETERS.maxUnfreezing) refuse('Invalid unfreeze operation, unfreezing times is over limit');
  },
  execute(world, message) {
    const owner = hexOf(message.owner_address);
    collectReward(world, owner);
    const account = world.editAccount(owner);
    const withdrawnSun = payOutExpired(world, account);
    keepOldPower(world, account);
    account.unfreezing.push({
      resource: message.resource,
      amountSun: message.unfreeze_balance,
      expiresAt: world.now + world.parameters.unfreezeDelayDays * PARAMETERS.dayMs,
    });
    const stake = stakeOf(message.resource);
    addStake(world, account, stake, -message.unfreeze_balance);
    shrinkVotes(world, account, stake === 'power');
    return { feeSun: 0n, withdrawnSun };
  },
};
