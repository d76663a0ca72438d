const { default: Sequencer } = require('@jest/test-sequencer');

/** Each takes most of a minute: begun among the last, one of them would be waited for alone. */
const LONGEST = [
  'test/simulate/simulate.spec.ts',
  'test/delegation/reclaim/missing-rows.spec.ts',
  'test/panel/every-page.browser.spec.ts',
  'test/safety/killed-orders.spec.ts',
  'test/pages/operations.spec.ts',
  'test/safety/killed-reclaims.spec.ts',
  'test/access/every-panel-route.spec.ts',
  'test/panel/http/back-and-reload.browser.spec.ts',
  'test/panel/layout/large-lists.spec.ts',
  'test/delegation/reclaim/doubted-by-two-nodes.spec.ts',
  'test/pages/readme.spec.ts',
  'test/examples/examples.spec.ts',
  'test/bootstrap/service.spec.ts',
  'test/stake-care/killed-care.spec.ts',
  'test/chain/verified-chain/witnesses/witnesses-first.spec.ts',
  'test/safety/due-reclaims.spec.ts',
  'test/reconciliation/restore.spec.ts',
  'test/chain/tron/node/single-refusals.spec.ts',
];

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const place = LONGEST.findIndex((name) => path.replaceAll('\\', '/').endsWith(name));
      return place < 0 ? LONGEST.length : place;
    };
    return super.sort(tests).toSorted((a, b) => rank(a) - rank(b));
  }
};
