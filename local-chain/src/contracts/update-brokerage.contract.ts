import { UPDATE_BROKERAGE, type UpdateBrokerageMessage } from '../protobuf/contract.schema';
import { isAddress } from '../signing/address.codec';
import { editTally, findWitness } from '../votes/witness.tally';
import { hexOf, refuse, type ContractRule } from './contract.rule';

const ALL = 100;

/** From the next cycle on. */
export const updateBrokerageContract: ContractRule<UpdateBrokerageMessage> = {
  type: 49,
  schema: UPDATE_BROKERAGE,
  validate(world, message) {
    const owner = hexOf(message.owner_address);
    if (!isAddress(message.owner_address)) refuse('Invalid ownerAddress');
    if (message.brokerage < 0 || message.brokerage > ALL) refuse('Invalid brokerage');
    if (!findWitness(world, owner)) refuse(`Not existed witness:${owner}`);
    if (!world.findAccount(owner)) refuse('Account does not exist');
  },
  execute(world, message) {
    editTally(world, findWitness(world, hexOf(message.owner_address))!).nextBrokerage = message.brokerage;
    return { feeSun: 0n };
  },
};
