import { readSubject } from '../../findings/subject-columns';
import type { FindingTexts } from '../../findings/finding-text';
import type { FindingRow } from '../../findings/finding.statements';
import { LinkedText, LongId } from '../layout/components';
import { searchHref } from '../search/search-path';
import { walletPath } from '../wallets/wallet-path';

const PAGES = { user: 'users', delegation: 'orders' } as const;

/** What a finding is about, as links to it. */
export function FindingSubject({ row, texts }: { row: FindingRow; texts: FindingTexts }) {
  const subject = readSubject(row);
  if (subject?.type === 'user' || subject?.type === 'delegation')
    return (
      <a class="clip short" title={texts.subject} href={`/panel/operator/${PAGES[subject.type]}/${subject.id}`}>
        {texts.subject}
      </a>
    );
  if (subject?.type === 'wallet_transaction' || subject?.type === 'wallet_blocks') {
    const { walletId, wallet, id } = subject;
    return (
      <>
        <a href={walletPath({ id: walletId })}>{wallet}</a>{' '}
        {subject.type === 'wallet_blocks' ? id : <LongId value={id} href={searchHref(id)} />}
      </>
    );
  }
  if (subject?.type !== 'wallet' && subject?.type !== 'delegated_resource') return <LinkedText text={texts.subject} />;
  return (
    <>
      <a href={walletPath({ id: subject.walletId })}>{subject.wallet}</a>
      {subject.type === 'delegated_resource' && (
        <>
          {' '}
          → <LongId value={subject.receiver} href={searchHref(subject.receiver)} />
        </>
      )}
    </>
  );
}
