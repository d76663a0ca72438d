import { encodeQR } from 'qr';

/** Light modules around it, by the standard. */
const QUIET = 4;

/** Drawn here, so no other site learns the text. Dark on light in the dark scheme too, or not every reader takes it. */
export function QrCode({ text, title }: { text: string; title: string }) {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET });
  const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      class="qr"
      role="img"
      aria-label={title}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      width="240"
      height="240"
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={dark.join('')} fill="#000" shape-rendering="crispEdges" />
    </svg>
  );
}
