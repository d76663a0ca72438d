// What a browser may add to pages that work without it.
for (const button of document.querySelectorAll('button[data-copies]')) {
  const source = document.getElementById(button.dataset.copies);
  const status = button.nextElementSibling;
  if (!source || !status) continue;
  button.hidden = false;
  button.addEventListener('click', () => {
    void copy(source).then((copied) => {
      if (copied) button.textContent = button.dataset.copied;
      status.classList.toggle('heard', copied);
      status.textContent = copied ? button.dataset.copied : button.dataset.selected;
    });
  });
}

async function copy(source) {
  try {
    await navigator.clipboard.writeText(source.textContent);
    return true;
  } catch {
    // Refused, or not there at all: only https and this machine have it. What is selected can be copied by hand, or the old way.
    getSelection()?.selectAllChildren(source);
    return document.execCommand('copy');
  }
}

// A form that is sent twice by a double click would do things twice. Where no answer comes, it can be sent again after a while.
const AGAIN_MS = 10_000;
for (const form of document.querySelectorAll('form[method="post"]')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = 'yes';
    setTimeout(() => delete form.dataset.sent, AGAIN_MS);
  });
}
// A page that comes back from the browser's own memory was not sent.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
});
