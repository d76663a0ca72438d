import { ordersConform } from './conformance';

describe('with every key in a signer on a Unix socket, the service', () => {
  ordersConform({ listens: 'socket' });
});
