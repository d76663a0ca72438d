import { TRX } from '../chain/chain.parameters';
import { VOTE_WITNESS, type VoteWitnessMessage } from '../protobuf/contract.schema';
import { isAddress } from '../signing/address.codec';
import { changeVotes, keepOldPower, powerToVote } from '../votes/tron.power';
import { collectReward } from '../votes/voter.reward';
import { findWitness } from '../votes/witness.tally';
import { addExact, hexOf, multiplyExact, refuse, type ContractRule } from './contract.rule';

const MOST_VOTES = 30;

export const voteWitnessContract: ContractRule<VoteWitnessMessage> = {
  type: 4,
  schema: VOTE_WITNESS,
  validate(world, message) {
    const owner = hexOf(message.owner_address);
    if (!isAddress(message.owner_address)) refuse('Invalid address');
    if (message.votes.length === 0) refuse('VoteNumber must more than 0');
    if (message.votes.length > MOST_VOTES) refuse(`VoteNumber more than maxVoteNumber ${MOST_VOTES}`);
    let sum = 0n;
    for (const vote of message.votes) {
      if (!isAddress(vote.vote_address)) refuse('Invalid vote address!');
      if (vote.vote_count <= 0n) refuse('vote count must be greater than 0');
      const witness = hexOf(vote.vote_address);
      if (!world.findAccount(witness)) refuse(`Account[${witness}] not exists`);
      if (!findWitness(world, witness)) refuse(`Witness[${witness}] not exists`);
      sum = addExact(sum, vote.vote_count);
    }
    const account = world.findAccount(owner) ?? refuse(`Account[${owner}] not exists`);
    const [asked, power] = [multiplyExact(sum, TRX), powerToVote(world, account)];
    if (asked > power) refuse(`The total number of votes[${asked}] is greater than the tronPower[${power}]`);
  },
  execute(world, message) {
    const owner = hexOf(message.owner_address);
    collectReward(world, owner);
    const account = world.editAccount(owner);
    keepOldPower(world, account);
    const votes = message.votes.map((vote) => ({ witness: hexOf(vote.vote_address), count: vote.vote_count }));
    changeVotes(world, account, votes);
    return { feeSun: 0n };
  },
};
