import type { JsonObject } from '../protobuf/json.printer';
import { rewardSun } from '../votes/voter.reward';
import { findTally, findWitness, USUAL_BROKERAGE, witnessesOf } from '../votes/witness.tally';
import { addressOf } from '../witnesses/witness.model';
import { shownAddress } from './account.printer';
import { compact } from './compact.json';
import { findAddress } from './request.fields';
import type { Route, RouteRequest } from './route.model';

/** Those that were elected once stay candidates. */
const witnesses = ({ view: { world }, visible }: RouteRequest): JsonObject => ({
  witnesses: witnessesOf(world).map((witness) => {
    const { votes, produced, latestBlock, latestSlot } = findTally(world, witness);
    return compact({
      address: shownAddress(addressOf(witness), visible),
      voteCount: votes,
      url: `http://witness-${witness.number}.local-chain`,
      totalProduced: produced,
      latestBlockNum: latestBlock,
      latestSlotNum: latestSlot,
      isJobs: witness.active,
    });
  }),
});

const reward = (request: RouteRequest): JsonObject => {
  const address = findAddress(request);
  return { reward: address ? rewardSun(request.view.world, address.toString('hex')) : 0 };
};

const brokerage = (request: RouteRequest): JsonObject => {
  const address = findAddress(request);
  if (!address) return { brokerage: 0 };
  const { world } = request.view;
  const witness = findWitness(world, address.toString('hex'));
  return { brokerage: witness ? findTally(world, witness).brokerage : USUAL_BROKERAGE };
};

export const witnessRoutes: readonly Route[] = [
  { name: 'listwitnesses', twin: true, answer: witnesses },
  { name: 'getReward', twin: true, answer: reward },
  { name: 'getBrokerage', twin: true, answer: brokerage },
  {
    name: 'getnextmaintenancetime',
    bodyless: true,
    answer: ({ view }) => ({ num: view.world.network.nextMaintenanceAt ?? 0 }),
  },
];
