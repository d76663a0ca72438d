import { type Channel, kindsOf } from '../../notices/notice-kinds';
import type { ChannelView, NoticeView } from '../../notices/notice.service';
import { Badge, Box, DataTable, Instant, PostButton, PostForm, useMessages } from '../layout/components';

export const NOTICES = '/panel/operator/notices';

/** What each way needs. */
const SETTINGS: Readonly<Record<Channel, string>> = {
  email: 'SMTP_URL, MAIL_FROM, NOTIFY_EMAIL',
  telegram: 'TELEGRAM_BOT_TOKEN, TELEGRAM_CHAT_ID',
  webhook: 'NOTIFY_WEBHOOK_URL',
  customers: 'SMTP_URL, MAIL_FROM',
};
const TONES = { pending: 'busy', sent: 'good', failed: 'bad' } as const;

export function NoticePage({ channels, latest }: { channels: readonly ChannelView[]; latest: readonly NoticeView[] }) {
  const messages = useMessages('notice');
  return (
    <>
      <h1>{messages.title}</h1>
      <p>{messages.intro}</p>
      {channels.map((channel) => (
        <ChannelSection key={channel.channel} {...channel} />
      ))}
      <h2>{messages.last}</h2>
      <DataTable
        name={messages.last}
        rows={latest}
        empty={messages.none}
        columns={[
          { name: messages.time, cell: ({ createdAt }) => <Instant at={createdAt} /> },
          {
            name: messages.channel,
            cell: ({ channel, recipient }) => [messages.channels[channel], recipient].filter(Boolean).join(' · '),
          },
          {
            name: messages.what,
            heading: true,
            cell: ({ items }) => [...new Set(items.map(({ kind }) => messages.kinds[kind]))].join(' · '),
          },
          { name: messages.state, cell: ({ state }) => <Badge tone={TONES[state]}>{messages.states[state]}</Badge> },
          { name: messages.attempts, numeric: true, cell: ({ attempts }) => attempts },
          { name: messages.error, cell: ({ error }) => error && <code>{error}</code> },
        ]}
      />
    </>
  );
}

function ChannelSection({ channel, leadsTo, kinds }: ChannelView) {
  const messages = useMessages('notice');
  const name = messages.channels[channel];
  return (
    <section>
      <h2>{name}</h2>
      {leadsTo === null ? (
        <p>{messages.closed(SETTINGS[channel])}</p>
      ) : (
        <>
          <p>{messages.leadsTo(leadsTo)}</p>
          <PostForm action={`${NOTICES}/${channel}/kinds`} label={name}>
            <Kinds channel={channel} chosen={kinds} />
            <button type="submit">{messages.save}</button>
          </PostForm>
          {channel !== 'customers' && (
            <PostButton action={`${NOTICES}/${channel}/test`} class="secondary" text={messages.test(name)} />
          )}
        </>
      )}
    </section>
  );
}

/** Ids by channel: the page has the same boxes several times. */
function Kinds({ channel, chosen }: { channel: Channel; chosen: ChannelView['kinds'] }) {
  const messages = useMessages('notice');
  return (
    <fieldset>
      <legend>{messages.kindsOf}</legend>
      {kindsOf(channel).map((kind) => (
        <Box
          key={kind}
          type="checkbox"
          id={`${channel}-${kind}`}
          name="kinds"
          value={kind}
          label={messages.kinds[kind]}
          checked={chosen.includes(kind)}
        />
      ))}
    </fieldset>
  );
}
