import { ordersConform } from './conformance';

describe('with every key in a signer that listens by TLS, the service', () => {
  ordersConform({ listens: 'tls' });
});
