const { default: Sequencer } = require('@jest/test-sequencer');

/** Each takes most of a minute: begun among the last, one of them would be waited for alone. */
const LONGEST = [
  'test/panel/layout/large-lists.spec.ts',
  'test/panel/http/back-and-reload.browser.spec.ts',
  'test/simulate/simulate.spec.ts',
  'test/panel/every-page.browser.spec.ts',
  'test/pages/readme.spec.ts',
  'test/examples/examples.spec.ts',
  'test/chain/verified-chain/finality-stall.spec.ts',
  'test/access/every-panel-route.spec.ts',
  'test/chain/observer/unproved/word-of-all-nodes.spec.ts',
  'test/bootstrap/service.spec.ts',
  'test/pages/operations.spec.ts',
  'test/access/every-route.spec.ts',
  'test/safety/killed-orders.waiting.spec.ts',
  'test/safety/killed-reclaims.waiting.spec.ts',
  'test/delegation/reclaim/missing-rows.waiting.spec.ts',
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
