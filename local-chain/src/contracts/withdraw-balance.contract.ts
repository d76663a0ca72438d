import { PARAMETERS } from '../chain/chain.parameters';
import { WITHDRAW_BALANCE, type OwnerOnlyMessage } from '../protobuf/contract.schema';
import { isAddress } from '../signing/address.codec';
import { collectReward, rewardSun } from '../votes/voter.reward';
import { payWitnesses } from '../votes/witness.pay';
import { addExact, hexOf, refuse, type ContractRule } from './contract.rule';

/** Witnesses of java-tron's genesis may not withdraw; this chain's have all come later. */
export const withdrawBalanceContract: ContractRule<OwnerOnlyMessage> = {
  type: 13,
  schema: WITHDRAW_BALANCE,
  validate(world, message) {
    const owner = hexOf(message.owner_address);
    if (!isAddress(message.owner_address)) refuse('Invalid address');
    const account = world.findAccount(owner) ?? refuse(`Account[${owner}] not exists`);
    const last = account.latestWithdrawAt ?? 0;
    if (world.now - last < PARAMETERS.dayMs) refuse(`The last withdraw time is ${last}, less than 24 hours`);
    if (rewardSun(world, owner) <= 0n) refuse('witnessAccount does not have any reward');
    addExact(account.balanceSun, account.allowanceSun ?? 0n);
  },
  execute(world, message) {
    const owner = hexOf(message.owner_address);
    if (world.findAccount(owner)!.isWitness) payWitnesses(world);
    collectReward(world, owner);
    const account = world.editAccount(owner);
    const rewardedSun = account.allowanceSun ?? 0n;
    account.balanceSun += rewardedSun;
    account.allowanceSun = 0n;
    account.latestWithdrawAt = world.now;
    return { feeSun: 0n, rewardedSun };
  },
};
