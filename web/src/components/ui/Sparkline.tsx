/** A small line of values in time; gaps stay gaps. */
export function Sparkline({
  values,
  label,
  className = "",
}: {
  values: readonly (number | null)[];
  label: string;
  className?: string;
}) {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return null;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const x = (index: number) => (values.length === 1 ? 0 : (100 * index) / (values.length - 1));
  const y = (value: number) => (high === low ? 12 : 22 - (20 * (value - low)) / (high - low));
  let isOpen = false;
  const path = values
    .map((value, index) => {
      if (value === null) {
        isOpen = false;
        return "";
      }
      const step = `${isOpen ? "L" : "M"}${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
      isOpen = true;
      return step;
    })
    .join("");
  return (
    <svg
      className={`sparkline ${className}`}
      viewBox="0 0 100 24"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <path d={path} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
