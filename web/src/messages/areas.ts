/** Messages of pages that only the dashboard has, by the first part of their keys. */
export const NOT_IN_REPORTS =
  /^(compare|configuration|families|governance|json|labels|matrix|overview|runs|targets|tryIt)\./;

/** Messages that only reports have. */
export const ONLY_IN_REPORTS = /^report\./;
