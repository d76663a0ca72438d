import { ACCOUNT_CREATE, type AccountCreateMessage } from '../protobuf/contract.schema';
import { isAddress } from '../signing/address.codec';
import { newAccount } from '../state/account.model';
import { burn, hexOf, refuse, type ContractRule } from './contract.rule';

export const accountCreateContract: ContractRule<AccountCreateMessage> = {
  type: 0,
  schema: ACCOUNT_CREATE,
  validate(world, message) {
    const owner = hexOf(message.owner_address);
    if (!isAddress(message.owner_address)) refuse('Invalid ownerAddress');
    const account = world.findAccount(owner) ?? refuse(`Account[${owner}] not exists`);
    if (account.balanceSun < world.parameters.createAccountFeeInContractSun)
      refuse('Validate CreateAccountActuator error, insufficient fee.');
    if (!isAddress(message.account_address)) refuse('Invalid account address');
    if (world.findAccount(hexOf(message.account_address))) refuse('Account has existed');
  },
  execute(world, message) {
    const feeSun = world.parameters.createAccountFeeInContractSun;
    const created = world.putAccount(newAccount(hexOf(message.account_address), world.now));
    created.type = message.type;
    burn(world, hexOf(message.owner_address), feeSun);
    return { feeSun };
  },
};
