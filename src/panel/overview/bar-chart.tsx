const HEIGHT = 100;
const STEP = 10;

/** An SVG without script or style attributes; its label says in words what it shows. */
export function BarChart({ values, label }: { values: readonly number[]; label: string }) {
  const most = Math.max(1, ...values);
  return (
    <svg
      class="chart"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${values.length * STEP} ${HEIGHT + 1}`}
      preserveAspectRatio="none"
    >
      {values.map((value, index) => {
        const height = (value / most) * HEIGHT;
        return <rect key={index} x={index * STEP + 1} y={HEIGHT - height} width={STEP - 2} height={height} />;
      })}
      <line class="floor" x1="0" x2={values.length * STEP} y1={HEIGHT + 0.5} y2={HEIGHT + 0.5} />
    </svg>
  );
}
