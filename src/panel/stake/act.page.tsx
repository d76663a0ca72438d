import type { ListedWalletRow } from '../../chain/pool/wallets/wallet-row';
import { trxLiteral } from '../../common/money/sun';
import { DAY_MS } from '../../stake-care/care-periods';
import { asVotes, sharePower } from '../../stake-care/decide-votes';
import { type OperationKind, RESOURCE_NAMES } from '../../stake-care/stake-operation';
import type { Form } from '../http/form';
import {
  Choice,
  Confirmation,
  type Fact,
  Facts,
  Field,
  FormKey,
  type FormProblem,
  GetForm,
  groupDigits,
  Instant,
  Trx,
  useMessages,
  useShown,
} from '../layout/components';
import type { Messages } from '../messages/catalogues';
import type { WantedAmount } from './act-form';
import type { StakeDetailsView } from './stake-details';
import { stakePath } from './stake-path';

interface Props {
  readonly wallet: ListedWalletRow;
  readonly details: StakeDetailsView;
  readonly kind: OperationKind;
  readonly problem?: FormProblem;
}

/** The first step of freezing and unfreezing: it changes nothing, and leads to the question. */
export function AmountPage({ wallet, details, kind, form, problem }: Props & { form: Form }) {
  const messages = useMessages('stake');
  const layout = useMessages('layout');
  return (
    <div class="narrow">
      <h1>{messages.questions[kind]}</h1>
      <Facts facts={useFacts({ wallet, details, kind })} />
      <NodeAway details={details} />
      <p>{messages.texts[kind]}</p>
      <GetForm action={`${stakePath(wallet)}/${kind}`} label={messages.questions[kind]} form={form} problem={problem}>
        <Field
          name="amount"
          label={messages.amount}
          hint={messages.amountHint}
          required
          inputmode="decimal"
          autocomplete="off"
        />
        <ResourceField />
        <div class="buttons">
          <button type="submit">{messages.goOn}</button>
          <a href={stakePath(wallet)}>{layout.cancel}</a>
        </div>
      </GetForm>
    </div>
  );
}

function ResourceField() {
  const messages = useMessages('stake');
  const options = RESOURCE_NAMES.map((name) => [name, messages.resources[name]] as const);
  return (
    <Choice name="resource" label={messages.resource} value={useShown('resource') || 'energy'} options={options} />
  );
}

interface ConfirmationProps extends Props {
  readonly wanted?: WantedAmount;
  /** What was refused. */
  readonly form?: Form;
}

/** The question before an operation is planned. */
export function ActConfirmation({ wallet, details, kind, wanted, form, problem }: ConfirmationProps) {
  const messages = useMessages('stake');
  const path = `${stakePath(wallet)}/${kind}`;
  const fields = wanted && { amount: trxLiteral(wanted.amountSun), resource: wanted.resource };
  return (
    <Confirmation
      title={messages.questions[kind]}
      facts={useFacts({ wallet, details, kind, wanted })}
      about={<NodeAway details={details} />}
      text={messages.texts[kind]}
      action={path}
      fields={fields}
      button={messages.buttons[kind]}
      otherButton={
        fields && (
          <a href={`${path}?${new URLSearchParams({ ...fields, change: 'yes' }).toString()}`}>{messages.change}</a>
        )
      }
      back={stakePath(wallet)}
      problem={problem}
    >
      <FormKey form={form} />
    </Confirmation>
  );
}

function NodeAway({ details }: Pick<Props, 'details'>) {
  const messages = useMessages('stake');
  return details.isRead ? null : <p class="notice attention">{messages.actNodeAway}</p>;
}

function useFacts({ wallet, details, kind, wanted }: Props & { wanted?: WantedAmount }): Fact[] {
  const messages = useMessages('stake');
  const { name } = useMessages('operator');
  const amount: Fact[] = wanted
    ? [
        [messages.amount, <Trx key="amount" sun={wanted.amountSun} />],
        [messages.resource, messages.resources[wanted.resource]],
      ]
    : [];
  return [[name, wallet.name], ...amount, ...FACTS[kind](details, messages)];
}

type FactsOf = (details: StakeDetailsView, messages: Messages['stake']) => readonly Fact[];

/** What an operator is to know before an act. */
const FACTS: Readonly<Record<OperationKind, FactsOf>> = {
  vote: ({ figures: { power }, care, witnesses }, messages) => {
    if (!care || care.votes.length === 0) return [[messages.votes, messages.noCandidates]];
    const votes = power === null ? [] : asVotes(sharePower(power, care.votes));
    return votes.map((vote) => [nameOf(vote.witness, witnesses.get(vote.witness)?.url), groupDigits(vote.votes)]);
  },
  claim: ({ figures: { rewardSun, lastClaimMs } }, messages) => [
    [messages.reward, rewardSun === null ? '–' : <Trx key="reward" sun={rewardSun} />],
    [messages.claimDue, <Instant key="due" at={lastClaimMs === null ? null : new Date(lastClaimMs + DAY_MS)} />],
  ],
  freeze: ({ figures }, messages) => [[messages.liquid, <Trx key="liquid" sun={figures.liquidSun} />]],
  unfreeze: ({ figures, expected }, messages) => [
    [messages.free, <Trx key="free" sun={figures.freeSun} />],
    [messages.slotsLeft, Math.max(figures.slotsLeft - 1, 0)],
    [messages.comeAt, <Instant key="come" at={expected?.availableAt ?? null} form="exact" />],
    ...(expected?.endsVotes ? [[messages.votes, messages.endsVotes] as const] : []),
  ],
  withdraw: ({ figures }, messages) => [
    [messages.withdrawn, <Trx key="ripe" sun={sumOf(figures.unfreezing.filter(isRipe))} />],
  ],
  'cancel-unfreeze': ({ figures }, messages) => [
    [messages.cancelled, <Trx key="unripe" sun={sumOf(figures.unfreezing.filter((one) => !isRipe(one)))} />],
    [messages.withdrawn, <Trx key="ripe" sun={sumOf(figures.unfreezing.filter(isRipe))} />],
  ],
};

function nameOf(address: string, url: string | undefined): string {
  return url ? `${url} ${address}` : address;
}

function isRipe({ availableMs }: { readonly availableMs: number }): boolean {
  return availableMs <= Date.now();
}

function sumOf(unfreezing: readonly { readonly sun: bigint }[]): bigint {
  return unfreezing.reduce((sum, { sun }) => sum + sun, 0n);
}
