// What a browser may add to pages that work without it. Listeners are on the document: parts of a page may be replaced.
document.documentElement.classList.add('scripted');

// An error page, and the sign-in, answer a form themselves: no session keeps them. A browser that comes back to one offers to send the form
// again; so it comes back to the form's own page instead.
if (document.documentElement.dataset.posted !== undefined && document.referrer.startsWith(`${location.origin}/panel`))
  history.replaceState(history.state, '', document.referrer);

const announcer = document.getElementById('announcer');
const SHOWN_MS = 2_000;

document.addEventListener('click', (event) => {
  const button = event.target.closest?.('button[data-copy], button[data-copies]');
  if (!button) return;
  const source = button.dataset.copies
    ? document.getElementById(button.dataset.copies)
    : button.parentElement.querySelector('code');
  void copy(button.dataset.copy ?? source.textContent, source).then((copied) => {
    if (button.dataset.copies) sayBeside(button, copied);
    else sayEverywhere(button, copied);
  });
});

for (const button of document.querySelectorAll('button[data-copies]')) button.hidden = false;

function sayEverywhere(button, copied) {
  announcer.textContent = copied ? announcer.dataset.copied : announcer.dataset.selected;
  if (!copied) return;
  button.classList.add('copied');
  setTimeout(() => button.classList.remove('copied'), SHOWN_MS);
}

function sayBeside(button, copied) {
  if (copied) button.textContent = button.dataset.copied;
  button.nextElementSibling.classList.toggle('heard', copied);
  button.nextElementSibling.textContent = copied ? button.dataset.copied : button.dataset.selected;
}

async function copy(text, source) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Refused, or not there at all: only https and this machine have it. What is selected can be copied by hand, or the old way.
    if (source instanceof HTMLTextAreaElement) source.select();
    else getSelection()?.selectAllChildren(source);
    return document.execCommand('copy');
  }
}

const TYPING = 'input, textarea, select, [contenteditable]';
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.(TYPING)) return;
  const search = document.getElementById('search');
  if (!search) return;
  event.preventDefault();
  search.select();
  search.focus();
});

// A form that is sent twice by a double click would do things twice. Where no answer comes, it can be sent again after a while.
const AGAIN_MS = 10_000;
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (form.method !== 'post') return;
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = 'yes';
  setTimeout(() => delete form.dataset.sent, AGAIN_MS);
});
// A page that comes back from the browser's own memory was not sent.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
});
