// What a browser may add to pages that work without it.
for (const button of document.querySelectorAll('button[data-copies]')) {
  const source = document.getElementById(button.dataset.copies);
  if (!source || !navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(source.textContent).then(() => {
      button.textContent = button.dataset.copied;
    });
  });
}

// A form that is sent twice by a double click would do things twice.
for (const form of document.querySelectorAll('form[method="post"]')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = 'yes';
  });
}
// A page that comes back from the browser's own memory was not sent.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
});
