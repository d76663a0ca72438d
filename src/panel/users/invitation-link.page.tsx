import { CopyButton, Instant, useMessages } from '../layout/components';
import type { MadeLink } from './link-once';

interface Props {
  readonly email: string;
  /** Null: it was shown before. */
  readonly link: MadeLink | null;
  readonly back: string;
  /** A link went to the user by mail too. */
  readonly mailed: boolean;
}

export function InvitationLinkPage({ email, link, back, mailed }: Props) {
  const messages = useMessages('user');
  return (
    <div class="narrow">
      <h1>{messages.linkTitle}</h1>
      <p>{email}</p>
      {link ? <Link link={link} /> : <p class="notice attention">{messages.linkShown}</p>}
      {link && mailed && <p>{messages.linkMailed}</p>}
      <p>
        <a href={back}>{messages.back}</a>
      </p>
    </div>
  );
}

function Link({ link }: { link: MadeLink }) {
  const messages = useMessages('user');
  return (
    <>
      <p class="notice">{messages.linkText}</p>
      <code class="secret" id="link">
        {link.url}
      </code>
      <p>
        <CopyButton source="link" name={messages.copy} done={messages.copied} />
      </p>
      <p>{messages.expires(<Instant at={link.expiresAt} />)}</p>
    </>
  );
}
