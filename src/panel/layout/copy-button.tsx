/** Without script it stays hidden: the text next to it can be selected. */
export function CopyButton({ source, name, done }: { source: string; name: string; done: string }) {
  return (
    <button type="button" class="secondary" hidden data-copies={source} data-copied={done}>
      {name}
    </button>
  );
}
