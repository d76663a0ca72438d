import type { Language } from '../../../config/languages';
import type { Witness } from '../../chain/proof/judge';
import { toBase58Address } from '../../chain/tron/addresses';
import type { SharedReceipt } from '../../delegation/lookup/receipt-shares';
import { LANGUAGES } from '../../languages/languages';
import { groupDigits } from '../../panel/layout/values';
import { documentPath } from '../docs/page-names';
import { TimeLine } from './time-line';

interface Props extends SharedReceipt {
  readonly language: Language;
  /** The address of the page, with scheme and host. */
  readonly url: string;
  /** Where the witnesses changed between the receipt's headers, those of the other set; else empty. */
  readonly alsoActive: readonly Witness[];
  /** What a txid is appended to. */
  readonly explorer: string | null;
}

/** A moment as the page writes it, in UTC. */
const moment = (iso: string) => new Date(iso).toISOString().replace('T', ' ');
/** The same to the minute: what only people read. */
const minute = (iso: string) => `${new Date(iso).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** What was delegated to whom and when it was taken back: no name and no price. The script verifies; without it the page says so. */
export function ReceiptContent({ language, url, explorer, order, receipt, alsoActive }: Props) {
  const texts = LANGUAGES[language].site.receipt;
  const stake = receipt.stake.rawJSON;
  return (
    <div class="frame alone receipt">
      <main id="content" tabindex={-1}>
        <h1>{texts.title}</h1>
        <p>{texts.lead(stake)}</p>
        <Verdict language={language} file={`${new URL(url).pathname}/receipt.json`} />
        <TimeLine {...{ language, minute }} from={receipt.block_time} to={order.reclaimed_at} />
        <p>
          <small>{texts.pictureHint}</small>
        </p>
        <h2>{texts.provedFacts}</h2>
        <dl class="facts">
          <Proved name={texts.receiver} field="receiver_address" value={receipt.receiver_address} />
          <Proved name={texts.stake} field="stake" value={stake} />
          <Proved name={texts.time} field="block_time" value={moment(receipt.block_time)} />
          <Proved name={texts.block} field="block_number" value={String(receipt.block_number)} />
          <Proved
            name={texts.txid}
            field="txid"
            value={receipt.txid}
            look={lookUp(explorer, receipt.txid, texts.explorer)}
          />
        </dl>
        <h2>{texts.otherFacts}</h2>
        <p>
          <small>{texts.otherHint}</small>
        </p>
        <dl class="facts">
          <dt>{texts.energy}</dt>
          <dd>{groupDigits(order.energy)}</dd>
          <dt>{texts.energyBack}</dt>
          <dd>{order.reclaimed_at === null ? texts.notYet : minute(order.reclaimed_at)}</dd>
          {order.reclaim_txid !== null && (
            <>
              <dt>{texts.reclaimTx}</dt>
              <dd>
                <code>{order.reclaim_txid}</code> {lookUp(explorer, order.reclaim_txid, texts.explorer)}
              </dd>
            </>
          )}
        </dl>
        <h2>{texts.file}</h2>
        <p>{texts.fileText}</p>
        <p class="ways">
          <a
            role="button"
            href={`${new URL(url).pathname}/receipt.json`}
            download={`receipt-${receipt.txid.slice(0, 16)}.json`}
          >
            {texts.download}
          </a>
          <a href={`${documentPath(language, 'receipts')}#${language === 'en' ? 'check-it' : '核验'}`}>
            {texts.offline}
          </a>
        </p>
        <p class="address">
          {texts.address}: <code>{url}</code>
        </p>
        <p class="printed">
          {texts.printed(receipt.witnesses.length)}{' '}
          <code>{`${new URL(url).origin}${documentPath(language, 'receipts')}`}</code>
        </p>
        <Witnesses {...{ language, alsoActive }} witnesses={receipt.witnesses} />
      </main>
    </div>
  );
}

const lookUp = (explorer: string | null, txid: string, text: string) =>
  explorer === null ? null : (
    <a class="look" href={`${explorer}${txid}`} rel="noopener noreferrer">
      {text}
    </a>
  );

/** Its words come from the page, in the page's language; the script fills them in. */
function Verdict({ language, file }: { readonly language: Language; readonly file: string }) {
  const texts = LANGUAGES[language].site.receipt;
  const { checking, failed, unreadable, reasons } = texts;
  const filled = {
    proved: texts.proved('{}'),
    ownProved: texts.ownProved('{}'),
    partly: texts.partly('{}'),
    notWitnesses: texts.notWitnesses('{}'),
  };
  return (
    <div
      id="verdict"
      class="verdict"
      role="status"
      aria-label={texts.verdict}
      data-file={file}
      data-texts={JSON.stringify({ checking, failed, unreadable, reasons, ...filled })}
    >
      <p>{texts.unverified}</p>
      <noscript>
        <p>
          {texts.withoutScript} <a href={documentPath(language, 'receipts')}>{texts.offline}</a>
        </p>
      </noscript>
    </div>
  );
}

interface ProvedProps {
  readonly name: string;
  readonly field: string;
  readonly value: string;
  readonly look?: preact.ComponentChild;
}

/** The script compares its text with what the receipt proves. */
function Proved({ name, field, value, look = null }: ProvedProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <code data-proved={field}>{value}</code> {look}
      </dd>
    </>
  );
}

interface WitnessesProps extends Pick<Props, 'language' | 'alsoActive'> {
  readonly witnesses: Props['alsoActive'];
}

function Witnesses({ language, witnesses, alsoActive }: WitnessesProps) {
  const texts = LANGUAGES[language].site.receipt;
  return (
    <details class="witnesses">
      <summary>{texts.witnesses(witnesses.length)}</summary>
      <p>{texts.witnessesText}</p>
      <p hidden>
        <label for="own-witnesses">{texts.own}</label>
        <input id="own-witnesses" type="file" multiple accept=".json,application/json" />
      </p>
      <WitnessSet {...{ language, witnesses }} />
      {alsoActive.length > 0 && (
        <>
          <p>{texts.alsoActive(alsoActive.length)}</p>
          <WitnessSet language={language} witnesses={alsoActive} />
        </>
      )}
    </details>
  );
}

/** The script reads each list as one set. */
function WitnessSet({ language, witnesses }: Pick<WitnessesProps, 'language' | 'witnesses'>) {
  const texts = LANGUAGES[language].site.receipt;
  return (
    <ul data-witnesses>
      {witnesses.map(({ address, signing_address: signer }) => (
        <li key={address} data-witness={address} data-signer={signer}>
          <code>{toBase58Address(address)}</code>
          {signer !== address && (
            <>
              {' '}
              {texts.signer} <code>{toBase58Address(signer)}</code>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
