/** A seed that has caught each bug, to be tried first. When the world has changed and it does so no more, others are tried. */
export const CAUGHT_BY: Readonly<Record<string, number>> = {
  'abandoned-although-signed': 5,
  'accepted-taken-as-included': 14,
  'blocks-skipped-behind-a-pause': 7,
  'commit-unknown-taken-as-committed': 17,
  'delegation-sent-before-its-commit': 2,
  'dup-taken-as-included': 2,
  'failure-charged': 7,
  'hold-kept-with-a-failure': 2,
  'no-end-of-a-claim': 2,
  'release-on-time-out': 2,
  'released-twice': 2,
  'resent-behind-a-failure': 2,
  'token-day-not-given-back': 5,
  'webhook-before-its-commit': 2,
  'webhook-refused-taken-as-delivered': 2,
  'webhook-written-behind-its-commit': 3,
};
