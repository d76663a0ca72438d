import { PARAMETERS, TRX } from '../chain/chain.parameters';
import type { ResourceName } from '../state/account.model';
import { type Network, parametersOf } from '../state/network.model';

const totals = (network: Network, resource: ResourceName): { limit: number; weight: number } =>
  resource === 'net'
    ? { limit: Number(parametersOf(network).totalNetLimit), weight: Number(network.totalNetWeightTrx) }
    : { limit: Number(PARAMETERS.totalEnergyLimit), weight: Number(network.totalEnergyWeightTrx) };

/** What a stake gives of a resource a day; one floor on the whole stake, in the node's own doubles. */
export function limitOf(stake: bigint, network: Network, resource: ResourceName): bigint {
  const { limit, weight } = totals(network, resource);
  return weight <= 0 ? 0n : BigInt(Math.trunc((Number(stake) / Number(TRX)) * (limit / weight)));
}

/** The stake that a use of a resource takes up. */
export function stakeTaken(used: bigint, network: Network, resource: ResourceName): bigint {
  const { limit, weight } = totals(network, resource);
  return BigInt(Math.trunc(Number(used * TRX) * (weight / limit)));
}
