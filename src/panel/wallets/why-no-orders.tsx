import type { Diagnosis } from '../../chain/pool/doctor/diagnosis';
import type { WalletRow } from '../../chain/pool/wallets/wallet-row';
import { textsOf } from '../../findings/finding-text';
import { isAlarm } from '../../findings/key-suspicions';
import { FindingSubject } from '../findings/finding-subject';
import { Instant, LinkedText, PostButton, useMessages, useVisit } from '../layout/components';
import type { WalletDetailsView } from './wallet-details';

/** The list of findings has the others. */
const MOST_SHOWN = 20;

interface Props {
  readonly wallet: WalletRow;
  readonly details: WalletDetailsView;
}

/** Why a wallet rests, is paused or quarantined, and what ends that; what is found of one that takes orders all the same. */
export function WhyNoOrders({ wallet, details }: Props) {
  const messages = useMessages('wallet');
  const { findings, fault } = details;
  const takesOrders = wallet.state === 'active' && fault === null;
  if (takesOrders && findings.length === 0) return null;
  const title = takesOrders ? messages.despite : messages.why;
  return (
    <section class={`notice ${findings.some(isAlarm) ? 'refused' : 'attention'}`} aria-label={title}>
      <strong>{title}</strong>
      {wallet.state !== 'active' && <SetBy wallet={wallet} details={details} />}
      {fault && fault !== 'rests' && <p>{messages.cannot(messages.causes[fault])}</p>}
      {wallet.rests && <p>{restText(wallet, messages)}</p>}
      {findings.length > 0 && <Findings findings={findings} />}
    </section>
  );
}

function restText(
  { resting_until: until, last_refusal: last }: WalletRow,
  messages: ReturnType<typeof useMessages<'wallet'>>,
) {
  const reason = last && <span lang="en">{last.reason}</span>;
  return last?.purpose === 'reclaim'
    ? messages.restsForReclaims(reason)
    : messages.rests(<Instant at={until} />, reason);
}

function SetBy({ wallet, details: { setBy, findings } }: Props) {
  const messages = useMessages('wallet');
  const names = useMessages('operator');
  const state = names.states[wallet.state];
  if (!setBy) return <p>{messages.neverTook}</p>;
  const who = setBy.actor ?? (setBy.service ? names.services[setBy.service] : names.commandLine);
  return (
    <p>
      {messages.setBy(state, who, <Instant at={setBy.at} />)}{' '}
      {wallet.state === 'paused' && (findings.length === 0 ? messages.resumeNext : messages.quarantined)}
    </p>
  );
}

function Findings({ findings }: Pick<WalletDetailsView, 'findings'>) {
  const { locale } = useVisit();
  const messages = useMessages('wallet');
  const names = useMessages('operator');
  return (
    <>
      <ul>
        {findings.slice(0, MOST_SHOWN).map((finding) => {
          const texts = textsOf(finding, locale);
          return (
            <li key={finding.id.toString()}>
              <strong>{texts.kind}</strong> <FindingSubject row={finding} texts={texts} />
              <br />
              <LinkedText {...texts.reason} />
              <br />
              <LinkedText {...texts.nextStep} />
            </li>
          );
        })}
      </ul>
      {findings.length > MOST_SHOWN && <p>{messages.moreFindings(findings.length - MOST_SHOWN)}</p>}
      <div class="buttons">
        <a href="/panel/operator/findings">{names.findings}</a>
        <PostButton
          action="/panel/operator/findings"
          class="secondary"
          aria-label={messages.checkChain}
          text={names.checkAgain}
        />
      </div>
    </>
  );
}

/** In the doctor's own words, which are English. */
export function DoctorSays({ diagnosis }: { diagnosis: readonly Diagnosis[] }) {
  const messages = useMessages('wallet');
  if (diagnosis.length === 0) return <p class="notice">{messages.healthy}</p>;
  return (
    <section class="notice attention" aria-label={messages.doctorFound}>
      <strong>{messages.doctorFound}</strong>
      <ul lang="en">
        {diagnosis.map(({ kind, reason, next_step: nextStep }) => (
          <li key={kind}>
            {reason.charAt(0).toUpperCase() + reason.slice(1)}. {nextStep}
          </li>
        ))}
      </ul>
    </section>
  );
}
