// Times as the reader counts them: `3 min ago`, else in the zone of the account or the browser. The server has written UTC, or the
// account's zone.
const { lang, dataset } = document.documentElement;
const timeZone = dataset.zone;
// Swedish dates look like ISO 8601.
const full = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
const minutes = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone });
const hour = new Intl.DateTimeFormat('sv-SE', { timeStyle: 'short', timeZone });
// Days of a range begin where the reader's do: the server cannot know that zone otherwise.
if (timeZone === undefined) {
  const secure = location.protocol === 'https:' ? '; secure' : '';
  const zone = encodeURIComponent(full.resolvedOptions().timeZone);
  document.cookie = `panel_zone=${zone}; path=/panel; max-age=31536000; samesite=lax${secure}`;
}
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

const dayOf = (at) => full.format(at).slice(0, 10);

/** The start of an hour, or a step of a row of moments, is not counted from now. */
function inForm(at, form) {
  if (form === 'exact') return full.format(at);
  if (form !== 'hour') return fromNow(at) ?? minutes.format(at);
  return dayOf(at) === dayOf(new Date()) ? hour.format(at) : `${dayOf(at)} ${hour.format(at)}`;
}

function show(time) {
  const at = new Date(time.dateTime);
  if (Number.isNaN(at.getTime())) return;
  const text = inForm(at, time.dataset.form);
  if (time.textContent !== text) time.textContent = text;
  // On paper nothing is counted from now.
  time.dataset.full = full.format(at);
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
