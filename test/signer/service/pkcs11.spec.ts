import { describeWith } from '../backends';
import { TokenBackend } from '../key-backends';
import { ordersConform } from './conformance';

describeWith('softhsm', 'with every key in a PKCS#11 token, the service', (module) => {
  ordersConform({ listens: 'socket', backend: (signer) => TokenBackend.open(signer, module) });
});
