import type { WalletRow } from '../../chain/pool/wallets/wallet-row';
import { Confirmation, Field, type FormProblem, LongId, useMessages } from '../layout/components';
import type { Objections } from './resume-objections';
import { DoctorSays } from './doctor-says';
import type { WalletDetailsView } from './wallet-details';
import { walletPath, WALLETS_PATH } from './wallet-path';
import { WhyNoOrders } from './why-no-orders';

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
