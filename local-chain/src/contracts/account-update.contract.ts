import { ACCOUNT_UPDATE, type AccountUpdateMessage } from '../protobuf/contract.schema';
import { isAddress } from '../signing/address.codec';
import { hexOf, refuse, type ContractRule } from './contract.rule';

export const accountUpdateContract: ContractRule<AccountUpdateMessage> = {
  type: 10,
  schema: ACCOUNT_UPDATE,
  validate(world, message) {
    if (message.account_name.length > 200) refuse('Invalid accountName');
    if (!isAddress(message.owner_address)) refuse('Invalid ownerAddress');
    const account = world.findAccount(hexOf(message.owner_address)) ?? refuse('Account does not exist');
    if (account.name) refuse('This account name is already existed');
    if (world.findNamed(hexOf(message.account_name))) refuse('This name is existed');
  },
  execute(world, message) {
    world.nameAccount(hexOf(message.owner_address), hexOf(message.account_name));
    return { feeSun: 0n };
  },
};
