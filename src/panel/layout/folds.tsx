import type { ComponentChildren } from 'preact';
import { useMessages } from './current-visit';

/** The fields that narrow a list: open while they do. */
export function FilterFold({ open, children }: { open: boolean; children: ComponentChildren }) {
  return (
    <details class="filters" open={open}>
      <summary>{useMessages('layout').find}</summary>
      {children}
    </details>
  );
}

/** What can be done with a row. Its name tells menus apart for those who hear them one after the other. */
export function RowMenu({ of, children }: { of: string; children: ComponentChildren }) {
  const messages = useMessages('layout');
  return (
    <details class="row-menu" name="row-menu">
      <summary aria-label={messages.actionsOn(of)} title={messages.actions}>
        ⋯
      </summary>
      <div class="buttons">{children}</div>
    </details>
  );
}

/** One line of a text, and all of it, with its links, when it is unfolded. */
export function LongText({ text, open, children }: { text: string; open: boolean; children: ComponentChildren }) {
  const messages = useMessages('layout');
  return (
    <details class="long-text" open={open}>
      <summary aria-label={messages.wholeText(text)}>
        <span>{text}</span>
      </summary>
      {children}
    </details>
  );
}

/** In one line of a table; the whole of it shows where the pointer rests, and on paper. */
export function Clipped({ text, short = false }: { text: string; short?: boolean }) {
  return (
    <span class={short ? 'clip short' : 'clip'} title={text}>
      {text}
    </span>
  );
}
