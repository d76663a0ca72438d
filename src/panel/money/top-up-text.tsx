/** How customers top up, in the operator's own words: a paragraph for each of its lines. */
export function TopUpText({ text }: { text: string }) {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return (
    <div class="top-up">
      {lines.map((line, index) => (
        <p key={index}>{line}</p>
      ))}
    </div>
  );
}
