export const preferences = {
  title: 'Time and language',
  timeZone: 'Time zone',
  asBrowser: 'same as the browser',
  saved: 'Time zone and language were saved.',
  withoutScript:
    'Point at a time to see it in UTC. Date ranges use this zone. Without JavaScript and without a zone of your own, times and days are in UTC.',
};
