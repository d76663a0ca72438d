import type { AttentionItem } from '../../notices/attention/attention-items';
import { Instant, useMessages } from '../layout/components';

export function Attention({ items }: { items: readonly AttentionItem[] }) {
  const messages = useMessages('overview');
  if (items.length === 0) return <p class="notice">{messages.nothing}</p>;
  const level = items.some((item) => item.level === 'urgent') ? 'urgent' : 'attention';
  return (
    <section class={`notice ${level === 'urgent' ? 'refused' : 'attention'}`} aria-label={messages[level]}>
      <strong>{messages[level]}</strong>
      <ul>
        {items.map(({ text, href, since }) => (
          <li key={text}>
            <a href={href}>{text}</a>
            {since && <small> {messages.since(<Instant at={since} form="hour" />)}</small>}
          </li>
        ))}
      </ul>
    </section>
  );
}
