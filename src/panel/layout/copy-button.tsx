interface Props {
  readonly source: string;
  readonly name: string;
  readonly done: string;
  /** Shown when the browser refuses: the text is selected then. */
  readonly selected: string;
}

/** Without script it stays hidden: the text next to it can be selected. */
export function CopyButton({ source, name, done, selected }: Props) {
  return (
    <>
      <button type="button" class="secondary" hidden data-copies={source} data-copied={done} data-selected={selected}>
        {name}
      </button>{' '}
      <span aria-live="polite" />
    </>
  );
}
