import type { SessionView } from '../../auth/sessions/session.service';
import { Badge, DataTable, Instant, PostButton, useMessages } from '../layout/components';
import { browserName } from './browser-name';

export type OwnSession = SessionView & { readonly isThis: boolean };

/** Where the user is signed in, each with a button that ends it. */
export function SessionTable({ sessions }: { sessions: readonly OwnSession[] }) {
  const messages = useMessages('access');
  const nameOf = ({ browser }: OwnSession) => browserName(browser) ?? messages.unknownBrowser;
  return (
    <DataTable
      name={messages.sessions}
      rows={sessions}
      empty={messages.noSessions}
      columns={[
        { name: messages.browser, heading: true, cell: nameOf },
        { name: messages.network, cell: ({ network }) => (network ? <code>{network}</code> : '–') },
        { name: messages.lastSeen, cell: ({ seenAt }) => <Instant at={seenAt} /> },
        { name: messages.began, cell: ({ createdAt }) => <Instant at={createdAt} /> },
        {
          name: messages.action,
          cell: (session) =>
            session.isThis ? (
              <Badge tone="good">{messages.thisOne}</Badge>
            ) : (
              <PostButton
                action="/panel/account/sessions"
                name="session"
                value={session.key}
                class="secondary"
                text={messages.end(nameOf(session))}
              />
            ),
        },
      ]}
    />
  );
}
