import { useMessages } from './current-visit';

/** Without script it stays hidden: the text next to it can be selected. */
export function CopyButton({ source, name, done }: { source: string; name: string; done: string }) {
  // Shown when the browser refuses: the text is selected then.
  const { selected } = useMessages('layout');
  return (
    <>
      <button type="button" class="secondary" hidden data-copies={source} data-copied={done} data-selected={selected}>
        {name}
      </button>{' '}
      <span aria-live="polite" />
    </>
  );
}
