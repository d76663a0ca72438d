import { PostForm } from './post-form';

interface Props {
  readonly action: string;
  /** In a row of a table. */
  readonly compact?: boolean;
  readonly class?: string;
  readonly name?: string;
  readonly value?: string;
  readonly 'aria-label'?: string;
  readonly text: string;
}

/** A form that is one button: it does something. */
export function PostButton({ action, compact, text, ...button }: Props) {
  return (
    <PostForm action={action} class={compact ? 'compact' : undefined}>
      <button type="submit" {...button}>
        {text}
      </button>
    </PostForm>
  );
}

/** It leads to a page. A form that is sent drops the query of its action, so each value of it is a field. */
export function GetButton({ action, compact, text, ...button }: Props) {
  const [path, query] = action.split('?');
  return (
    <form method="get" action={path} class={compact ? 'compact' : undefined}>
      {[...new URLSearchParams(query)].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button type="submit" {...button}>
        {text}
      </button>
    </form>
  );
}
