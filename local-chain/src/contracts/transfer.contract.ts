import { TRANSFER, type TransferMessage } from '../protobuf/contract.schema';
import { isAddress } from '../signing/address.codec';
import { newAccount } from '../state/account.model';
import type { WorldState } from '../state/world.state';
import { addExact, burn, hexOf, refuse, type ContractRule } from './contract.rule';

function validate(world: WorldState, message: TransferMessage): void {
  if (!isAddress(message.owner_address)) refuse('Invalid ownerAddress!');
  if (!isAddress(message.to_address)) refuse('Invalid toAddress!');
  if (message.to_address.equals(message.owner_address)) refuse('Cannot transfer TRX to yourself.');
  const owner =
    world.findAccount(hexOf(message.owner_address)) ?? refuse('Validate TransferContract error, no OwnerAccount.');
  if (message.amount <= 0n) refuse('Amount must be greater than 0.');
  const to = world.findAccount(hexOf(message.to_address));
  if (to?.type === 2) refuse('Cannot transfer TRX to a smartContract.');
  const feeSun = to ? 0n : world.parameters.createAccountFeeInContractSun;
  if (owner.balanceSun < addExact(message.amount, feeSun))
    refuse('Validate TransferContract error, balance is not sufficient.');
  if (to) addExact(to.balanceSun, message.amount);
}

export const transferContract: ContractRule<TransferMessage> = {
  type: 1,
  schema: TRANSFER,
  validate,
  execute(world, message) {
    const [owner, to] = [hexOf(message.owner_address), hexOf(message.to_address)];
    const feeSun = world.findAccount(to) ? 0n : world.parameters.createAccountFeeInContractSun;
    if (feeSun > 0n) world.putAccount(newAccount(to, world.now));
    burn(world, owner, feeSun);
    world.editAccount(owner).balanceSun -= message.amount;
    world.editAccount(to).balanceSun += message.amount;
    return { feeSun };
  },
};
