// Times as the reader counts them: `3 min ago`, else in the zone of the account or the browser. The server has written UTC, or the
// account's zone.
const { lang, dataset } = document.documentElement;
const timeZone = dataset.zone;
// Swedish dates look like ISO 8601.
const full = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
const minutes = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone });
const hour = new Intl.DateTimeFormat('sv-SE', { timeStyle: 'short', timeZone });
const relative = new Intl.RelativeTimeFormat(lang, { style: 'short', numeric: 'auto' });

const AGAIN_MS = 20_000;
const UNITS = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
];

function fromNow(at) {
  let count = (at - Date.now()) / 1000;
  for (const [unit, size] of UNITS) {
    if (Math.abs(count) < size) return relative.format(Math.round(count), unit);
    count /= size;
  }
  return null;
}

function show(time) {
  const at = new Date(time.dateTime);
  if (Number.isNaN(at.getTime())) return;
  const text = time.dataset.form === 'hour' ? hour.format(at) : (fromNow(at) ?? minutes.format(at));
  if (time.textContent !== text) time.textContent = text;
  time.title = `${time.dateTime} · ${full.format(at)}`;
}

function showAll() {
  for (const time of document.querySelectorAll('time')) show(time);
}

showAll();
setInterval(() => document.hidden || showAll(), AGAIN_MS);
document.addEventListener('visibilitychange', showAll);
// A part of the page was replaced.
document.addEventListener('panel:changed', showAll);
