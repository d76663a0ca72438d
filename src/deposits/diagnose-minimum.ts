import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { TO_HOLDER_ENERGY } from '../chain/tron/head/transfer-size';
import { ChainReads } from '../chain/tron/node/chain-reads';
import { trxLiteral } from '../common/money/sun';
import { type Weakness, weakness } from '../common/weakness';
import { worthSun } from './decide-deposit';
import { DepositRates } from './deposit-rates';

/** At most, for an address that holds USDT alone: the account has to be created before it can send. */
const ACTIVATION_SUN = 2_100_000n;

/**
 * Compares the smallest USDT deposit with its sweep. TRX need no such look: their sweep waits until the address's free bandwidth pays it.
 */
@Injectable()
export class DiagnoseMinimum {
  constructor(
    private readonly reads: ChainReads,
    private readonly rates: DepositRates,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  /** Without a rate in force the minimum is worth nothing that could be compared. @throws NodeUnavailableError */
  async run(): Promise<Weakness[]> {
    const { deposits } = this.configuration;
    const sunPerUsdt = deposits && (await this.rates.sunNow());
    if (!deposits || sunPerUsdt === null) return [];
    const worth = worthSun({ asset: 'USDT', amount: deposits.leastUsdt }, sunPerUsdt);
    // The treasury holds some already.
    const energySun = TO_HOLDER_ENERGY * (await this.reads.energyPriceSun());
    if (worth >= energySun + ACTIVATION_SUN) return [];
    const minimum = trxLiteral(deposits.leastUsdt);
    const parameters = { minimum, worth: trxLiteral(worth), energy: trxLiteral(energySun) };
    return [weakness('deposit_minimum_low', 'DEPOSIT_MIN_USDT', parameters)];
  }
}
