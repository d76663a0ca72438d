/** What changes on the network as a whole. */
export interface Network {
  totalNetWeightTrx: bigint;
  totalEnergyWeightTrx: bigint;
  publicNet: { used: bigint; slot: number };
  burnedSun: bigint;
  /** What more the token's calls cost because it is used so much, in ten thousandths; none: nothing. */
  tokenEnergyFactor?: bigint;
}
