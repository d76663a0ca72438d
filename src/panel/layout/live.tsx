import type { ComponentChildren } from 'preact';
import { useVisit } from './current-visit';

interface Props {
  /** On the page: what it is replaced by. */
  readonly id: string;
  /** How often it is asked for again; null: never, because nothing in it changes any more. */
  readonly seconds: number | null;
  readonly children: ComponentChildren;
}

/**
 * A part of a page that a script keeps up to date, by asking for the page's fragment. Without the script it is as it was when the page
 * was asked for. No form that is typed into belongs in it.
 */
export function Live({ id, seconds, children }: Props) {
  // What answers a form is shown as it was.
  const { answersForm } = useVisit();
  return (
    <div id={id} data-live={answersForm ? undefined : (seconds ?? undefined)}>
      {children}
    </div>
  );
}
