// Parts of a page that keep up to date: each asks for the page's fragment every so many seconds, while anybody can see it.
import { Idiomorph } from './idiomorph.esm.js';

const LATEST_FAILURE = 3;
const KEPT = new Set(['open', 'value', 'checked', 'data-sent']);

let failures = 0;
let timer;

const parts = () => [...document.querySelectorAll('[data-live]')];

/** The most impatient part sets the pace. */
function delayMs() {
  return Math.min(...parts().map(({ dataset }) => Number(dataset.live))) * 1000;
}

function wait() {
  clearTimeout(timer);
  if (document.hidden || parts().length === 0) return;
  timer = setTimeout(() => void ask(), delayMs());
}

async function ask() {
  try {
    const response = await fetch(location.href, {
      headers: { 'Panel-Fragment': '1' },
      redirect: 'manual',
      cache: 'no-store',
    });
    // Signed out, or not there any more: no later answer will be another.
    if (response.type === 'opaqueredirect' || (response.status >= 400 && response.status < 500)) return stop();
    if (!response.ok) throw new Error(String(response.status));
    show(new DOMParser().parseFromString(await response.text(), 'text/html'));
    failures = 0;
    stale(false);
  } catch {
    // The service is starting again, or the network is away. What is shown is old: that must not go unsaid.
    failures += 1;
    if (failures >= LATEST_FAILURE) stale(true);
  }
  wait();
}

function show(fragment) {
  for (const part of document.querySelectorAll('[data-live], [data-live-too]')) {
    const now = fragment.getElementById(part.id);
    // Somebody is typing there.
    if (!now || part.contains(document.activeElement?.closest('input, textarea, select'))) continue;
    Idiomorph.morph(part, now, {
      ignoreActiveValue: true,
      callbacks: { beforeAttributeUpdated: (name) => !KEPT.has(name) },
    });
  }
  document.dispatchEvent(new Event('panel:changed'));
}

function stop() {
  clearTimeout(timer);
  for (const part of parts()) delete part.dataset.live;
  stale(true);
}

function stale(isStale) {
  const note = document.getElementById('stale');
  if (note) note.hidden = !isStale;
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) clearTimeout(timer);
  else if (parts().length > 0) void ask();
});
wait();
