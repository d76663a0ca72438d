// Checks the receipt of this page in the reader's browser. Until it has, and whenever anything goes wrong, the page says that nothing is verified.
import { readWitnesses } from './read-receipt.mjs';
import { ReceiptError, verifyReceipt } from './verify-receipt.mjs';

const verdict = document.getElementById('verdict');
const own = document.getElementById('own-witnesses');
const texts = JSON.parse(verdict.dataset.texts);

function show(state, ...lines) {
  verdict.dataset.state = state;
  verdict.replaceChildren(
    ...lines.map((line) => {
      const paragraph = document.createElement('p');
      paragraph.textContent = line;
      return paragraph;
    }),
  );
}

/** The sets that the page lists, two where the witnesses changed between the blocks: what is counted is what a reader can compare. */
function trustedHere() {
  return [...document.querySelectorAll('[data-witnesses]')].map((list) => {
    const rows = [...list.querySelectorAll('[data-witness]')];
    const witnesses = rows.map(({ dataset }) => ({
      address: dataset.witness,
      isJobs: true,
      signing_address: dataset.signer,
    }));
    return { witnesses };
  });
}

/** What stands on the page has to be what was proved. */
function isShown(proved) {
  const shown = [...document.querySelectorAll('[data-proved]')];
  const asShown = (field) => (field === 'block_time' ? proved[field].replace('T', ' ') : String(proved[field]));
  return shown.length > 0 && shown.every((one) => one.textContent.trim() === asShown(one.dataset.proved));
}

async function check(witnesses, text) {
  show('checking', texts.checking);
  try {
    const response = await fetch(verdict.dataset.file, { cache: 'no-store' });
    if (!response.ok) throw new Error(texts.unreadable);
    const proved = verifyReceipt(await response.text(), witnesses);
    if (!isShown(proved)) {
      show('failed', texts.failed, texts.reasons['other-page']);
      return;
    }
    const { unverified_signatures_of: blocks } = proved;
    const partly = blocks.length > 0 ? [texts.partly.replace('{}', blocks.join(', '))] : [];
    show('proved', text.replace('{}', String(proved.witnesses)), ...partly);
  } catch (error) {
    const reason = error instanceof ReceiptError ? texts.reasons[error.code] : texts.unreadable;
    const said = error instanceof ReceiptError ? [`${error.code}: ${error.message}`] : [];
    show('failed', texts.failed, reason, ...said);
  }
}

/** Each file is one set: those before and after a change of the witnesses. */
async function checkWith(files) {
  const sets = [];
  for (const file of files)
    try {
      const set = JSON.parse(await file.text());
      readWitnesses(set);
      sets.push(set);
    } catch {
      show('failed', texts.failed, texts.notWitnesses.replace('{}', file.name));
      return;
    }
  await check(sets, texts.ownProved);
}

own.closest('p').hidden = false;
own.addEventListener('change', () => {
  if (own.files.length > 0) void checkWith([...own.files]);
});
void check(trustedHere(), texts.proved);
