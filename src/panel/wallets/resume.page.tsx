import type { Diagnosis } from '../../chain/pool/doctor/diagnosis';
import type { WalletRow } from '../../chain/pool/wallets/wallet-row';
import type { FindingRow } from '../../findings/finding.statements';
import { castsDoubt } from '../../findings/wallet-doubts';
import { Confirmation, Field, type FormProblem, LongId, useMessages } from '../layout/components';
import type { WalletDetailsView } from './wallet-details';
import { walletPath, WALLETS_PATH } from './wallet-path';
import { DoctorSays, WhyNoOrders } from './why-no-orders';

export const SEEN_SEPARATOR = ' ';

interface Props {
  readonly wallet: WalletRow;
  readonly details: WalletDetailsView;
  readonly objections: Objections;
  /** The wallet's id when its own page led here. */
  readonly from: string | null;
  readonly reason: string;
  readonly problem?: FormProblem;
}

/** What speaks against it goes with the answer: nothing that is found meanwhile is passed over. */
export function ResumeConfirmation(props: Props) {
  const { wallet, details, objections, from, reason, problem } = props;
  const messages = useMessages('operator');
  const seen = details.findings.map(({ id }) => id.toString()).join(SEEN_SEPARATOR);
  return (
    <Confirmation
      title={messages.resumeConfirmation}
      facts={[
        [messages.name, wallet.name],
        [messages.address, <LongId key="address" value={wallet.address} whole />],
        [messages.state, messages.states[wallet.state]],
      ]}
      about={
        <>
          <WhyNoOrders wallet={wallet} details={details} />
          {objections.diagnosis.length > 0 && <DoctorSays diagnosis={objections.diagnosis} />}
        </>
      }
      text={objections.grave ? messages.resumeDespite : messages.resumeText}
      action={`${WALLETS_PATH}/resume`}
      fields={{ name: wallet.name, seen, ...(from !== null && { from }) }}
      button={messages.resume}
      back={from === null ? WALLETS_PATH : walletPath(wallet)}
      problem={problem}
    >
      <Field
        name="reason"
        value={reason}
        label={messages.resumeReason}
        hint={objections.grave ? messages.resumeReasonHint : undefined}
        required={objections.grave}
        autocomplete="off"
      />
    </Confirmation>
  );
}

/** With these the wallet can sign nothing that an order needs. */
const CANNOT_SIGN = new Set(['wrong_key', 'no_account', 'missing_permission']);

export interface Objections {
  readonly doubts: readonly FindingRow[];
  readonly diagnosis: readonly Diagnosis[];
  /** It takes the operator's reason to resume it all the same. */
  readonly grave: boolean;
}

/** What speaks against giving a wallet new orders. */
export function objectionsTo({ findings, quarantined, diagnosis }: WalletDetailsView): Objections {
  const doubts = findings.filter(castsDoubt);
  const cannotSign = diagnosis?.some(({ kind }) => CANNOT_SIGN.has(kind)) ?? false;
  return { doubts, diagnosis: diagnosis ?? [], grave: doubts.length > 0 || quarantined || cannotSign };
}
