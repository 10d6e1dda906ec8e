/** What a threshold makes of values, and of what people said about the samples. */

export interface Cut {
  passed: number;
  passRate: number;
  /** Of samples that people label, those where verdict and label agree; null without labels. */
  labelled: number;
  /** Of those that fail, the share that people call bad; null where none fails. */
  precision: number | null;
  /** Of those that people call bad, the share that fails; null where none is. */
  recall: number | null;
}

type Label = "pass" | "fail" | null;

export function holds(value: number, threshold: number, polarity: string): boolean {
  return polarity === "lower" ? value <= threshold : value >= threshold;
}

export function cutAt(values: readonly number[], labels: readonly Label[], threshold: number, polarity: string): Cut {
  let [passed, found, wrong, missed] = [0, 0, 0, 0];
  for (const [place, value] of values.entries()) {
    const isPass = holds(value, threshold, polarity);
    const label = labels[place];
    passed += Number(isPass);
    if (label === "fail") isPass ? missed++ : found++;
    else if (label === "pass" && !isPass) wrong++;
  }
  const labelled = labels.filter(Boolean).length;
  const share = (part: number, whole: number) => (whole ? part / whole : null);
  return {
    passed,
    passRate: values.length ? passed / values.length : 0,
    labelled,
    precision: labelled ? share(found, found + wrong) : null,
    recall: labelled ? share(found, found + missed) : null,
  };
}

export interface Bin {
  from: number;
  to: number;
  count: number;
}

/** Values in equal bins over a range; the highest value belongs to the last bin. */
export function binsOf(values: readonly number[], low: number, high: number, count: number): Bin[] {
  const width = (high - low) / count || 1;
  const bins = Array.from({ length: count }, (_, place) => ({
    from: low + place * width,
    to: low + (place + 1) * width,
    count: 0,
  }));
  for (const value of values) {
    const place = Math.min(count - 1, Math.max(0, Math.floor((value - low) / width)));
    bins[place]!.count += 1;
  }
  return bins;
}

/** Precision and recall at equally spaced thresholds. */
export function curveOf(
  values: readonly number[],
  labels: readonly Label[],
  polarity: string,
  low: number,
  high: number,
  steps: number,
): (Pick<Cut, "precision" | "recall"> & { threshold: number })[] {
  return Array.from({ length: steps + 1 }, (_, place) => {
    const threshold = low + ((high - low) * place) / steps;
    const { precision, recall } = cutAt(values, labels, threshold, polarity);
    return { threshold, precision, recall };
  });
}

/** The bins between the two ends of a drag, whichever way it went. */
export function brushedBins(bins: readonly Bin[], [start, end]: readonly [number, number]): Bin[] {
  return bins.slice(Math.min(start, end), Math.max(start, end) + 1);
}
