const { default: Sequencer } = require('@jest/test-sequencer');

/** Each takes most of a minute: begun among the last, one of them would be waited for alone. */
const LONGEST = [
  'test/panel/layout/large-lists.spec.ts',
  'test/database/database-away.spec.ts',
  'test/safety/crash-points.spec.ts',
  'test/safety/lost-commits.spec.ts',
  'test/delegation/random-kills.spec.ts',
  'test/delegation/reclaim/overlapping-reclaims.spec.ts',
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
