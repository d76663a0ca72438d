import { PARAMETERS } from '../chain/chain.parameters';
import { UNFREEZE, type UnfreezeMessage } from '../protobuf/contract.schema';
import { isAddress } from '../signing/address.codec';
import { hexOf, refuse, type ContractRule } from './contract.rule';
import { addStake, payOutExpired, resourceOf } from './stake.change';

const NOTHING_FROZEN = { net: 'no frozenBalance(BANDWIDTH)', energy: 'no frozenBalance(Energy)' };

export const unfreezeBalanceContract: ContractRule<UnfreezeMessage> = {
  type: 55,
  schema: UNFREEZE,
  validate(world, message) {
    const owner = hexOf(message.owner_address);
    if (!isAddress(message.owner_address)) refuse('Invalid address');
    const account = world.findAccount(owner) ?? refuse(`Account[${owner}] does not exist`);
    const resource = resourceOf(message.resource) ?? refuse('ResourceCode error.valid ResourceCode[BANDWIDTH、Energy]');
    const { frozenSun } = account[resource];
    if (frozenSun <= 0n) refuse(NOTHING_FROZEN[resource]);
    if (message.unfreeze_balance <= 0n || message.unfreeze_balance > frozenSun)
      refuse(`Invalid unfreeze_balance, [${message.unfreeze_balance}] is error`);
    const waiting = account.unfreezing.filter((entry) => entry.expiresAt > world.now).length;
    if (waiting >= PARAMETERS.maxUnfreezing) refuse('Invalid unfreeze operation, unfreezing times is over limit');
  },
  execute(world, message) {
    const account = world.editAccount(hexOf(message.owner_address));
    const withdrawnSun = payOutExpired(world, account);
    account.unfreezing.push({
      resource: message.resource,
      amountSun: message.unfreeze_balance,
      expiresAt: world.now + PARAMETERS.unfreezeDelayDays * PARAMETERS.dayMs,
    });
    addStake(world, account, resourceOf(message.resource)!, -message.unfreeze_balance);
    return { feeSun: 0n, withdrawnSun };
  },
};
