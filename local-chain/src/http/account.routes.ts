import { PARAMETERS, TRX } from '../chain/chain.parameters';
import type { JsonObject } from '../protobuf/json.printer';
import { delegableSun, delegationBytes } from '../resources/delegable.maximum';
import { limitOf } from '../resources/resource.limit';
import { plainIncrease, recovered } from '../resources/usage.window';
import { stakeSun, type Account } from '../state/account.model';
import { tronPowerSun, votesOf } from '../votes/tron.power';
import { keys, type WorldState } from '../state/world.state';
import { printAccount, shownAddress } from './account.printer';
import { compact } from './compact.json';
import { readAddressField, readAddressValue } from './request.fields';
import { ADDRESS_REQUEST, MAX_SIZE_REQUEST, OWNER_REQUEST, PAIR_REQUEST } from './request.schema';
import { readRequest, type Route, type RouteRequest } from './route.model';

const ADDRESS_BYTES = 21;

const findAccount = (request: RouteRequest, address: Buffer): Account | undefined =>
  request.view.world.findAccount(address.toString('hex'));

function netOf(world: WorldState, account: Account): JsonObject {
  return {
    freeNetUsed: plainIncrease(account.freeNet.used, 0n, account.freeNet.slot, world.slot),
    freeNetLimit: world.parameters.freeNetLimit,
    NetUsed: recovered(account.net, world.slot),
    NetLimit: limitOf(stakeSun(account.net), world.network, 'net'),
    TotalNetLimit: world.parameters.totalNetLimit,
    TotalNetWeight: world.network.totalNetWeightTrx,
  };
}

function resourcesOf(world: WorldState, account: Account): JsonObject {
  return compact({
    ...netOf(world, account),
    tronPowerUsed: votesOf(account),
    tronPowerLimit: tronPowerSun(account) / TRX,
    EnergyUsed: recovered(account.energy, world.slot),
    EnergyLimit: limitOf(stakeSun(account.energy), world.network, 'energy'),
    TotalEnergyLimit: PARAMETERS.totalEnergyLimit,
    TotalEnergyWeight: world.network.totalEnergyWeightTrx,
  });
}

function maxSize(request: RouteRequest): JsonObject {
  const { type, owner_address: owner } = readRequest(request, MAX_SIZE_REQUEST);
  const account = findAccount(request, owner);
  if (!account || (type !== 0 && type !== 1)) return {};
  const { world } = request.view;
  const sun =
    type === 1
      ? delegableSun(world, account, 'energy')
      : delegableSun(world, account, 'net', delegationBytes(account.net.frozenSun, world.parameters));
  return sun < TRX ? {} : { max_size: sun };
}

function delegationsOf(request: RouteRequest): JsonObject {
  const { fromAddress, toAddress } = readRequest(request, PAIR_REQUEST);
  const [from, to] = [fromAddress.toString('hex'), toAddress.toString('hex')];
  const records = [false, true].flatMap((locked) => request.view.world.findDelegation(from, to, locked) ?? []);
  return compact({
    delegatedResource: records.map((it) =>
      compact({
        from: shownAddress(it.from, request.visible),
        to: shownAddress(it.to, request.visible),
        frozen_balance_for_bandwidth: it.net.amountSun,
        frozen_balance_for_energy: it.energy.amountSun,
        expire_time_for_bandwidth: it.net.expiresAt,
        expire_time_for_energy: it.energy.expiresAt,
      }),
    ),
  });
}

/** A value that cannot be an address by its length has no index, not even an empty one with its name. */
function indexedAddress(request: RouteRequest): string | undefined {
  const address = readAddressValue(request);
  return address.length === ADDRESS_BYTES ? address.toString('hex') : undefined;
}

function indexOf(request: RouteRequest): JsonObject {
  const address = indexedAddress(request);
  if (address === undefined) return {};
  const { world } = request.view;
  const shown = (list: string[]): string[] => list.map((hex) => shownAddress(hex, request.visible));
  return compact({
    account: shownAddress(address, request.visible),
    fromAccounts: shown(world.listIndex(keys.lentBy(address))),
    toAccounts: shown(world.listIndex(keys.lentTo(address))),
  });
}

const unfreezeCount = (request: RouteRequest): JsonObject => {
  const account = findAccount(request, readRequest(request, OWNER_REQUEST).owner_address);
  if (!account) return {};
  return compact({
    count: PARAMETERS.maxUnfreezing - account.unfreezing.filter((it) => it.expiresAt > request.view.world.now).length,
  });
};

const withdrawable = (request: RouteRequest): JsonObject => {
  const { owner_address: owner, timestamp } = readRequest(request, OWNER_REQUEST);
  const until = timestamp === 0n ? request.view.world.now : Number(timestamp);
  const due = findAccount(request, owner)?.unfreezing.filter((it) => it.expiresAt <= until) ?? [];
  return compact({ amount: due.reduce((sum, it) => sum + it.amountSun, 0n) });
};

const ofAddress =
  (print: (request: RouteRequest, account: Account) => JsonObject) =>
  (request: RouteRequest): JsonObject => {
    const account = findAccount(request, readRequest(request, ADDRESS_REQUEST).address);
    return account ? print(request, account) : {};
  };

export const accountRoutes: readonly Route[] = [
  {
    name: 'getaccount',
    twin: true,
    spaced: true,
    answer: ofAddress((request, account) => printAccount(request.view.world, account, request.visible)),
  },
  {
    name: 'getaccountresource',
    spaced: true,
    answer(request) {
      const account = findAccount(request, readAddressField(request, 'address'));
      return account ? resourcesOf(request.view.world, account) : {};
    },
  },
  {
    name: 'getaccountnet',
    spaced: true,
    answer: ofAddress((request, account) => compact(netOf(request.view.world, account))),
  },
  { name: 'getcandelegatedmaxsize', twin: true, spaced: true, answer: maxSize },
  { name: 'getdelegatedresourcev2', twin: true, spaced: true, answer: delegationsOf },
  { name: 'getdelegatedresourceaccountindexv2', twin: true, spaced: true, answer: indexOf },
  { name: 'getavailableunfreezecount', twin: true, spaced: true, answer: unfreezeCount },
  { name: 'getcanwithdrawunfreezeamount', twin: true, spaced: true, answer: withdrawable },
  // Nothing here sets an account id, so that none is ever found by one.
  { name: 'getaccountbyid', twin: true, spaced: true, answer: () => ({}) },
  // Stake 1.0 was over before this chain began: its records are empty for everyone.
  {
    name: 'getdelegatedresource',
    twin: true,
    spaced: true,
    answer: (request) => (readRequest(request, PAIR_REQUEST), {}),
  },
  {
    name: 'getdelegatedresourceaccountindex',
    twin: true,
    spaced: true,
    answer: (request) => {
      const address = indexedAddress(request);
      return address === undefined ? {} : { account: shownAddress(address, request.visible) };
    },
  },
];
