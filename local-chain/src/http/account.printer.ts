import { PARAMETERS } from '../chain/chain.parameters';
import { ACCOUNT_TYPE, PERMISSION_TYPE, RESOURCE_CODE } from '../protobuf/contract.schema';
import type { Json, JsonObject } from '../protobuf/json.printer';
import { increase, plainIncrease } from '../resources/usage.window';
import { encodeBase58 } from '../signing/address.codec';
import type { Account, AccountResource, Permission } from '../state/account.model';
import type { WorldState } from '../state/world.state';
import { unpaidBrokerage } from '../votes/witness.pay';
import { compact } from './compact.json';

export const shownAddress = (hex: string, visible: boolean): string =>
  visible ? encodeBase58(Buffer.from(hex, 'hex')) : hex;

export function printPermission(permission: Permission, visible: boolean): JsonObject {
  return compact({
    type: permission.type ? PERMISSION_TYPE.findName(permission.type) : undefined,
    id: permission.id,
    permission_name: permission.name,
    threshold: permission.threshold,
    operations: permission.operations,
    keys: permission.keys.map(({ address, weight }) => ({ address: shownAddress(address, visible), weight })),
  });
}

/** A resource brought to the view's slot; when it was last used stays what it was. */
function current(resource: AccountResource, slot: number): AccountResource {
  const now = { ...resource };
  increase(now, 0n, slot);
  return now;
}

const consumedAt = (slot: number): number => slot * PARAMETERS.slotMs;

const printUnfreezing = (account: Account): Json =>
  account.unfreezing.map((entry) =>
    compact({
      type: entry.resource ? RESOURCE_CODE.findName(entry.resource) : undefined,
      unfreeze_amount: entry.amountSun,
      unfreeze_expire_time: entry.expiresAt,
    }),
  );

function printEnergy(energy: AccountResource): JsonObject {
  return compact({
    energy_usage: energy.used,
    latest_consume_time_for_energy: consumedAt(energy.slot),
    energy_window_size: energy.window,
    delegated_frozenV2_balance_for_energy: energy.delegatedSun,
    acquired_delegated_frozenV2_balance_for_energy: energy.acquiredSun,
    energy_window_optimized: energy.optimized,
  });
}

export function printAccount(world: WorldState, account: Account, visible: boolean): JsonObject {
  const [net, energy] = [current(account.net, world.slot), current(account.energy, world.slot)];
  return compact({
    account_name: visible ? Buffer.from(account.name, 'hex').toString() : account.name,
    type: account.type ? ACCOUNT_TYPE.findName(account.type) : undefined,
    address: shownAddress(account.address, visible),
    balance: account.balanceSun,
    votes: (account.votes ?? []).map(({ witness, count }) => ({
      vote_address: shownAddress(witness, visible),
      vote_count: count,
    })),
    old_tron_power: account.oldPowerSun,
    allowance: (account.allowanceSun ?? 0n) + unpaidBrokerage(world, account.address),
    latest_withdraw_time: account.latestWithdrawAt,
    net_usage: net.used,
    create_time: account.createdAt,
    latest_opration_time: account.latestOperationAt,
    is_witness: account.isWitness,
    free_net_usage: plainIncrease(account.freeNet.used, 0n, account.freeNet.slot, world.slot),
    latest_consume_time: consumedAt(net.slot),
    latest_consume_free_time: consumedAt(account.freeNet.slot),
    net_window_size: net.window,
    net_window_optimized: net.optimized,
    account_resource: printEnergy(energy),
    owner_permission: account.owner && printPermission(account.owner, visible),
    witness_permission: account.witness && printPermission(account.witness, visible),
    active_permission: account.actives.map((permission) => printPermission(permission, visible)),
    frozenV2: [
      compact({ amount: net.frozenSun }),
      compact({ type: 'ENERGY', amount: energy.frozenSun }),
      compact({ type: 'TRON_POWER', amount: account.powerSun }),
    ],
    unfrozenV2: printUnfreezing(account),
    delegated_frozenV2_balance_for_bandwidth: net.delegatedSun,
    acquired_delegated_frozenV2_balance_for_bandwidth: net.acquiredSun,
  });
}
