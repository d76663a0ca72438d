export const preferences = {
  title: 'Time and language',
  timeZone: 'Time zone',
  asBrowser: 'as the browser has it',
  saved: 'Time zone and language were saved.',
  withoutScript:
    'Point at a time to see it in UTC. Days of a range are those of this zone. Without JavaScript and without a zone of yours, times and days are in UTC.',
};
