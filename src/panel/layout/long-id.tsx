import { useMessages } from './current-visit';

interface Props {
  readonly value: string;
  readonly href?: string;
  /** Leads to another site, in a tab of its own. */
  readonly elsewhere?: string;
  /** In full where there is room, as on the page of the thing itself. */
  readonly whole?: boolean;
}

const TAIL = 6;

/**
 * An address, a txid or an id, whose middle gives way. The whole value is in the text, so that selecting it copies all of it, and
 * the button copies it too.
 */
export function LongId({ value, href, elsewhere, whole }: Props) {
  const messages = useMessages('layout');
  const code = (
    <code title={value}>
      {whole ? value : <span class="id-head">{value.slice(0, -TAIL)}</span>}
      {!whole && value.slice(-TAIL)}
    </code>
  );
  return (
    <span class={whole ? 'id whole' : 'id'}>
      {href === undefined ? (
        code
      ) : (
        <a href={href} {...(elsewhere !== undefined && { rel: 'noreferrer', target: '_blank', title: elsewhere })}>
          {code}
        </a>
      )}
      <button
        type="button"
        class="copy"
        data-copy={value}
        aria-label={messages.copyId(`${value.slice(0, TAIL)}…${value.slice(-TAIL)}`)}
      />
    </span>
  );
}
