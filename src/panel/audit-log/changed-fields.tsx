import { inTrx } from '../../common/money/in-trx';
import { useMessages } from '../layout/current-visit';

type Facts = Readonly<Record<string, unknown>> | null;

interface ChangedField {
  readonly name: string;
  /** Undefined: there was none, or nothing was kept of it. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Longer values fold: a list of witnesses would fill the page. */
const LONGEST_SHOWN = 120;

/** What an act has changed. What is the same on both sides is left out; of an act that changed nothing, what was asked for. */
export function changedFields(before: Facts, after: Facts): ChangedField[] {
  const [old, now] = [inTrx(before ?? {}), inTrx(after ?? {})];
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...names]
    .map((name) => ({ name, before: textOf(old[name]), after: textOf(now[name]) }))
    .filter(({ before: one, after: other }) => one !== other);
}

function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function ChangedFields({ before, after }: { before: Facts; after: Facts }) {
  const fields = changedFields(before, after);
  if (fields.length === 0) return null;
  return (
    <ul class="changes">
      {fields.map((field) => (
        <li key={field.name}>
          <span class="change-name">{field.name}</span> <Change {...field} />
        </li>
      ))}
    </ul>
  );
}

function Change({ before, after }: ChangedField) {
  const messages = useMessages('operator');
  const values = (
    <>
      {before !== undefined && <del>{before}</del>}
      {before !== undefined && <span aria-label={messages.became}> → </span>}
      {after === undefined ? <em>{messages.gone}</em> : <ins>{after}</ins>}
    </>
  );
  if ((before ?? '').length + (after ?? '').length <= LONGEST_SHOWN) return values;
  return (
    <details>
      <summary>{messages.showChange}</summary>
      {values}
    </details>
  );
}
