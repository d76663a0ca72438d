/** What changes on the network as a whole. */
export interface Network {
  totalNetWeightTrx: bigint;
  totalEnergyWeightTrx: bigint;
  publicNet: { used: bigint; slot: number };
  burnedSun: bigint;
}
