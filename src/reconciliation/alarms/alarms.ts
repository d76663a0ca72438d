import { Injectable } from '@nestjs/common';
import { Capacity } from '../../chain/pool/wallets/capacity';
import type { Finding } from '../../findings/finding';
import { ActivationAlarms } from './activation.alarms';
import { BurnedAlarms } from './burned.alarms';
import { ChainAlarms } from './chain.alarms';
import { TermsAlarms } from '../terms/terms.alarms';
import { DepositAlarms } from './deposit.alarms';
import { PoolAlarms } from './pool.alarms';
import { SignerAlarms } from './signer.alarms';
import { StakeAlarms } from './stake.alarms';

/** What somebody should look at while nothing is wrong with the rows. */
@Injectable()
export class Alarms {
  constructor(
    private readonly capacity: Capacity,
    private readonly pool: PoolAlarms,
    private readonly activations: ActivationAlarms,
    private readonly burned: BurnedAlarms,
    private readonly stake: StakeAlarms,
    private readonly signer: SignerAlarms,
    private readonly deposits: DepositAlarms,
    private readonly chain: ChainAlarms,
    private readonly terms: TermsAlarms,
  ) {}

  /** What the wallets have left is known then, where they can be read: whether nodes answer at all, the comparison says. */
  refreshCapacity(): Promise<void> {
    return this.capacity.refreshOld();
  }

  /** @throws NodeUnavailableError */
  async read(): Promise<Finding[]> {
    const pool = [...(await this.pool.read()), ...(await this.activations.read())];
    const stake = [...(await this.burned.read()), ...(await this.stake.read()), ...(await this.signer.read())];
    return [
      ...pool,
      ...stake,
      ...(await this.deposits.read()),
      ...(await this.chain.read()),
      ...(await this.terms.read()),
    ];
  }
}
