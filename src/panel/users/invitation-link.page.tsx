import type { SignedInPageContext } from '../http/page-context';
import { CopyButton } from '../layout/copy-button';
import { Instant } from '../layout/values';
import { LAYOUT_MESSAGES } from '../messages/layout.messages';
import { USER_MESSAGES, type UserMessages } from '../messages/user.messages';
import type { MadeLink } from './link-once';

interface Props {
  readonly pageContext: SignedInPageContext;
  readonly email: string;
  /** Null: it was shown before. */
  readonly link: MadeLink | null;
  readonly back: string;
}

export function InvitationLinkPage({ pageContext, email, link, back }: Props) {
  const messages = USER_MESSAGES[pageContext.locale];
  return (
    <div class="narrow">
      <h1>{messages.linkTitle}</h1>
      <p>{email}</p>
      {link ? (
        <Link pageContext={pageContext} messages={messages} link={link} />
      ) : (
        <p class="notice attention">{messages.linkShown}</p>
      )}
      <p>
        <a href={back}>{messages.back}</a>
      </p>
    </div>
  );
}

function Link({
  pageContext,
  messages,
  link,
}: {
  pageContext: SignedInPageContext;
  messages: UserMessages;
  link: MadeLink;
}) {
  return (
    <>
      <p class="notice">{messages.linkText}</p>
      <code class="secret" id="link">
        {link.url}
      </code>
      <p>
        <CopyButton
          source="link"
          name={messages.copy}
          done={messages.copied}
          selected={LAYOUT_MESSAGES[pageContext.locale].selected}
        />
      </p>
      <p>
        {messages.expires} <Instant at={link.expiresAt} />
      </p>
    </>
  );
}
