import { type Parameters, PARAMETERS, parametersWith } from '../chain/chain.parameters';

/** What changes on the network as a whole. */
export interface Network {
  totalNetWeightTrx: bigint;
  totalEnergyWeightTrx: bigint;
  publicNet: { used: bigint; slot: number };
  burnedSun: bigint;
  /** What more the token's calls cost because it is used so much, in ten thousandths; none: nothing. */
  tokenEnergyFactor?: bigint;
  /** What the network has set, by the parameter's id. */
  parameters?: Readonly<Record<number, bigint>>;
  /** Votes are counted once a cycle; a chain kept from before they were has none of these. */
  cycle?: number;
  nextMaintenanceAt?: number;
  /** Blocks that witnesses are not paid for yet. */
  unpaidBlocks?: number;
}

/** Read by every rule, and hardly ever changed. */
const merged = new WeakMap<object, Parameters>();

export function parametersOf({ parameters: set }: Network): Parameters {
  if (!set) return PARAMETERS;
  const known = merged.get(set) ?? parametersWith(set);
  merged.set(set, known);
  return known;
}
