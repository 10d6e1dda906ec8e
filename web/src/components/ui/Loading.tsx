/** Something is on its way; shown after a moment only, so that quick answers do not flicker. */
export function Loading({ what = "Loading" }: { what?: string }) {
  return (
    <div className="loading" role="status">
      <span className="spinner" aria-hidden="true" />
      {what}…
    </div>
  );
}
