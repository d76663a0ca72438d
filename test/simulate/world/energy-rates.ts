import { PARAMETERS } from '../../../local-chain/src/chain/chain.parameters';
import type { SimChain } from '../network/sim-chain';

const SUN = 1_000_000n;

/** What the network's stake has been: it drifts, and a node that lags shows what it was. */
export class EnergyRates {
  private leastTrx: bigint;
  private mostTrx: bigint;

  constructor(private readonly chain: SimChain) {
    this.leastTrx = this.weightTrx();
    this.mostTrx = this.leastTrx;
  }

  see(): void {
    const trx = this.weightTrx();
    if (trx < this.leastTrx) this.leastTrx = trx;
    if (trx > this.mostTrx) this.mostTrx = trx;
  }

  /** For so much energy, at some moment. */
  leastStakeSun(energy: bigint): bigint {
    return stakeSun(energy, this.leastTrx);
  }

  mostStakeSun(energy: bigint): bigint {
    return stakeSun(energy, this.mostTrx);
  }

  private weightTrx(): bigint {
    return this.chain.node.walletView().world.network.totalEnergyWeightTrx;
  }
}

/** Rounded up: a sun less gives less energy. */
function stakeSun(energy: bigint, weightTrx: bigint): bigint {
  const limit = PARAMETERS.totalEnergyLimit;
  return (energy * weightTrx * SUN + limit - 1n) / limit;
}
