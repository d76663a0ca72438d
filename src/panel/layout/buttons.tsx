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

/** It leads to a page. */
export function GetButton({ action, compact, text, ...button }: Props) {
  return (
    <form method="get" action={action} class={compact ? 'compact' : undefined}>
      <button type="submit" {...button}>
        {text}
      </button>
    </form>
  );
}
