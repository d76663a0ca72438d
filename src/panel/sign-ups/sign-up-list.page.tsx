import type { SignUpView } from '../../auth/sign-ups/sign-up.service';
import type { MailView } from '../../mail/mail.statements';
import { isLanguage } from '../../languages/languages';
import { Badge, type Column, DataTable, GetButton, Instant, PostButton, useMessages } from '../layout/components';
import { CATALOGUES, type Messages } from '../messages/catalogues';

export const SIGN_UPS = '/panel/operator/sign-ups';
const TONES = { pending: 'busy', sent: 'good', failed: 'bad', undeliverable: 'bad', void: 'quiet' } as const;

interface Props {
  readonly waiting: readonly SignUpView[];
  readonly mails: readonly MailView[];
  /** Whether strangers can sign up. */
  readonly open: boolean;
}

export function SignUpListPage({ waiting, mails, open }: Props) {
  const messages = useMessages('signUps');
  return (
    <>
      <h1>{messages.title}</h1>
      <p>{open ? messages.intro : messages.off}</p>
      <DataTable name={messages.title} columns={columns(messages)} rows={waiting} empty={messages.empty} />
      <h2>{messages.mails}</h2>
      <DataTable name={messages.mails} columns={mailColumns(messages)} rows={mails} empty={messages.noMails} />
    </>
  );
}

function columns(messages: Messages['signUps']): Column<SignUpView>[] {
  return [
    { name: messages.email, heading: true, cell: ({ email }) => email },
    { name: messages.name, cell: ({ name }) => name },
    {
      name: messages.language,
      minor: true,
      cell: ({ language }) => (isLanguage(language) ? CATALOGUES[language].language.name : language),
    },
    { name: messages.network, minor: true, cell: ({ network }) => <code>{network}</code> },
    { name: messages.since, cell: ({ confirmedAt }) => <Instant at={confirmedAt} none="–" /> },
    { name: messages.actions, cell: ({ email }) => <Decision email={email} /> },
  ];
}

function Decision({ email }: { email: string }) {
  const messages = useMessages('signUps');
  return (
    <div class="buttons">
      <PostButton
        action={`${SIGN_UPS}/approve`}
        compact
        name="email"
        value={email}
        aria-label={messages.approveOne(email)}
        text={messages.approve}
      />
      <GetButton
        action={`${SIGN_UPS}/refuse`}
        compact
        class="secondary outline"
        name="email"
        value={email}
        aria-label={messages.refuseOne(email)}
        text={messages.refuse}
      />
    </div>
  );
}

function mailColumns(messages: Messages['signUps']): Column<MailView>[] {
  return [
    { name: messages.kind, heading: true, cell: ({ kind }) => <code>{kind}</code> },
    { name: messages.to, cell: ({ address }) => address },
    { name: messages.state, cell: ({ state }) => <Badge tone={TONES[state]}>{messages.states[state]}</Badge> },
    { name: messages.attempts, numeric: true, minor: true, cell: ({ attempts }) => attempts },
    { name: messages.error, cell: ({ error }) => error && <code>{error}</code> },
    { name: messages.at, cell: ({ createdAt }) => <Instant at={createdAt} /> },
  ];
}
