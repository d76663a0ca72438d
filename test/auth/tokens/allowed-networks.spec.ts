import { canonicalNetwork, isAllowed } from '../../../src/auth/tokens/allowed-networks';

describe('a network that a token may be used from', () => {
  it.each([
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['10.1.2.3', '10.1.2.3/32'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8:0:0::/32', '2001:db8::/32'],
    ['::1', '::1/128'],
    ['::/0', '::/0'],
    ['10.0.0.0/08', '10.0.0.0/8'],
  ])('%s is %s', (typed, network) => {
    expect(canonicalNetwork(typed)).toBe(network);
  });

  it.each([
    '',
    '10.0.0',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '010.0.0.1',
    '2001:db8::/129',
    'fe80::1%eth0',
    '::ffff:10.0.0.0/104',
    '0:0:0:0:0:ffff:a00:1',
    'example.com',
    '10.0.0.0 /8',
    '*',
  ])('%j is none', (typed) => {
    expect(canonicalNetwork(typed)).toBeNull();
  });

  it.each([
    [['10.1.2.3/8'], '10.200.0.1', true],
    [['10.0.0.0/8'], '11.0.0.1', false],
    [['10.0.0.0/8'], '::ffff:10.0.0.1', true],
    [['10.0.0.0/8'], '::ffff:a00:1', true],
    [['10.0.0.0/31'], '10.0.0.1', true],
    [['10.0.0.0/31'], '10.0.0.2', false],
    [['2001:db8::/33'], '2001:db8:7fff::1', true],
    [['2001:db8::/33'], '2001:db8:8000::1', false],
    [['fe80::/10'], 'fe80::1%eth0', true],
    [['192.0.2.1/32', '2001:db8::/32'], '2001:db8::1', true],
    [['::/0'], '8.8.8.8', false],
    [['::/0'], '::ffff:8.8.8.8', false],
    [['0.0.0.0/0'], '::1', false],
    [['0.0.0.0/0'], '::ffff:8.8.8.8', true],
    [['0.0.0.0/0', '::/0'], 'unknown', false],
    [['0.0.0.0/0', '::/0'], undefined, false],
    [[], '10.0.0.1', false],
  ])('%j has %s: %s', (networks, client, allowed) => {
    expect(isAllowed(networks, client)).toBe(allowed);
  });
});
