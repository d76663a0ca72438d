// Calls the API with the token that this page shows, and shows the answer: the token goes nowhere else, and stays in the page.
for (const button of document.querySelectorAll('button[data-call]')) {
  const output = document.getElementById(button.dataset.shows);
  button.hidden = false;
  button.addEventListener('click', () => void call(button, output));
}

async function call(button, output) {
  button.setAttribute('aria-busy', 'true');
  const token = document.getElementById(button.dataset.token).textContent.trim();
  try {
    const response = await fetch(button.dataset.call, {
      headers: { Authorization: `Bearer ${token}` },
      cache: 'no-store',
    });
    output.textContent = `HTTP ${response.status}\n\n${await response.text()}`;
  } catch (error) {
    output.textContent = String(error);
  }
  output.hidden = false;
  button.removeAttribute('aria-busy');
}
