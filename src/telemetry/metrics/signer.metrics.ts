import { Injectable } from '@nestjs/common';
import { EveryKey } from '../../stake-care/every-key';
import { registerGauges } from './gauge.table';
import { MetricsRegistry } from './metrics.registry';

const FRESH_MS = 5_000;

const GAUGES = [
  {
    name: 'energy_signer_key_up',
    help: '1 while the signer signs with this key of a wallet, as seen by this instance.',
    labels: ['wallet', 'role'],
  },
] as const;
type Name = (typeof GAUGES)[number]['name'];

/** Keys that are in the signer: each instance has a connection of its own. */
@Injectable()
export class SignerMetrics {
  constructor(registry: MetricsRegistry, keys: EveryKey) {
    const read = async () => {
      const inSigner = (await keys.list()).filter(({ signerKey }) => signerKey !== null);
      const samples = inSigner.map(({ wallet: { name, role }, signerFault }) => ({
        value: signerFault === null ? 1 : 0,
        labels: { wallet: name, role },
      }));
      return new Map<Name, typeof samples>([['energy_signer_key_up', samples]]);
    };
    registerGauges<Name>(registry, GAUGES, read, FRESH_MS);
  }
}
