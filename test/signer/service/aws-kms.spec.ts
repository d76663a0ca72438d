import { describeWith } from '../backends';
import { KmsBackend } from '../key-backends';
import { ordersConform } from './conformance';

describeWith('moto', 'with every key in AWS KMS, the service', (program) => {
  ordersConform({ listens: 'tls', backend: () => KmsBackend.open(program) });
});
