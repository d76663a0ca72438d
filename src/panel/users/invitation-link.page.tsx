import type { SignedInVisit } from '../http/page-context';
import { CopyButton } from '../layout/copy-button';
import { LAYOUT_WORDS } from '../messages/layout.messages';
import { Instant } from '../layout/values';
import type { MadeLink } from './link-once';
import { USER_WORDS, type UserWords } from '../messages/user.messages';

interface Props {
  readonly visit: SignedInVisit;
  readonly email: string;
  /** Null: it was shown before. */
  readonly link: MadeLink | null;
  readonly back: string;
}

export function InvitationLinkPage({ visit, email, link, back }: Props) {
  const words = USER_WORDS[visit.locale];
  return (
    <div class="narrow">
      <h1>{words.linkTitle}</h1>
      <p>{email}</p>
      {link ? <Link visit={visit} words={words} link={link} /> : <p class="notice attention">{words.linkShown}</p>}
      <p>
        <a href={back}>{words.back}</a>
      </p>
    </div>
  );
}

function Link({ visit, words, link }: { visit: SignedInVisit; words: UserWords; link: MadeLink }) {
  return (
    <>
      <p class="notice">{words.linkText}</p>
      <code class="secret" id="link">
        {link.url}
      </code>
      <p>
        <CopyButton
          source="link"
          name={words.copy}
          done={words.copied}
          selected={LAYOUT_WORDS[visit.locale].selected}
        />
      </p>
      <p>
        {words.expires} <Instant at={link.expiresAt} />
      </p>
    </>
  );
}
