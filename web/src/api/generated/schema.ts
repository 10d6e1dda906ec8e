// Made from the server's OpenAPI document by "npm run types"; do not edit.

/** How well a metric put the records of a labelled set in the order of their labels. */
export type AgreementEntry = {
  question: string;
  set: string;
  records: number;
  statistic: "auroc" | "spearman";
  value: number;
  interval: [number, number];
  is_ahead: boolean;
  rules: { [name: string]: [number, number, number] };
  decisions: { [name: string]: DecisionEntry };
  is_held_out: boolean;
  unscored: { [name: string]: number };
  false_alarms: [number, number, number, number] | null;
};

/** A program's key; shown once. */
export type AppAnswer = {
  name: string;
  role: "read" | "write" | "admin";
  key: string;
};

/** A program that is to get a key of its own. */
export type AppBody = {
  name: string;
  role?: "read" | "write" | "admin";
};

/** One recorded action. */
export type AuditEntry = {
  id: number;
  created: string;
  actor: string;
  action: string;
  subject: string;
  details: { [name: string]: unknown };
};

/** One axis of the radar, from 0 to 1. */
export type Axis = {
  metric: string;
  score: number | null;
  value: number | null;
  is_inverted: boolean;
  reason: string | null;
};

/** A metric against the labels of a run; figures are absent until the labels suffice. */
export type CalibrationEntry = {
  metric: string;
  problem: string;
  labelled: number;
  threshold: number | null;
  says_pass: string;
  auroc: EstimateEntry | null;
  precision: EstimateEntry | null;
  recall: EstimateEntry | null;
  agreement: EstimateEntry | null;
  pass_rate: EstimateEntry | null;
  warnings: string[];
  details: { [name: string]: unknown };
};

/** The governance scorecard of one answer, and where it is kept. */
export type CardAnswer = {
  id: string;
  overall_score: number | null;
  verdict: "PASS" | "REVIEW" | "FAIL" | null;
  dimensions: { [name: string]: number | null };
  verified_claims: number | null;
  total_claims: number | null;
  hallucinated_claims: number | null;
  reasoning: ReasonEntry[];
  metrics: { [name: string]: CardMetricEntry[] };
  alerts: string[];
  weights: { [name: string]: number };
  imputed: string[];
  includes_imputed: boolean;
  policy: string;
  signature: string;
  session_id: string;
  test_id: string;
};

/** One metric on a card. */
export type CardMetricEntry = {
  name: string;
  dimension: string;
  raw_value: number | null;
  normalized_score: number | null;
  explanation: string;
  state: "ok" | "missing" | "imputed" | "error";
  evidence: SpanEntry[];
};

/** One category of metrics, from 0 to 1. */
export type Category = {
  name: string;
  score: number | null;
  status: "excellent" | "good" | "fair" | null;
  parts: { [name: string]: number | null };
  inverted: string[];
};

/** A test that was scored and added to a run. */
export type Collected = {
  test_id: string;
  run: string;
  score: number | null;
  passed: boolean | null;
  verdict: "pass" | "fail" | "unsure" | null;
};

/** What has to be said about the columns before the file can be scored. */
export type ColumnDoubt = {
  field: string;
  columns: string[];
  problem: string;
};

/** A column of an uploaded file. */
export type ColumnEntry = {
  name: string;
  field: string | null;
  values: string[];
};

/** Run B against run A. */
export type Comparison = {
  a: string;
  b: string;
  paired_by: string;
  pairs: number;
  only_a: number;
  only_b: number;
  repeated: number;
  unread: number;
  correction: string;
  seed: number;
  metrics: MetricChangeEntry[];
  refused: { [name: string]: string[] };
  metrics_only_a: string[];
  metrics_only_b: string[];
  thresholds: { [name: string]: [number | null, number | null] };
  samples: SampleChangeEntry[];
  notes: string[];
};

/** A policy pack and the name of its mode in the Endurance specification. */
export type ComplianceEntry = {
  mode: string;
  policy: string;
  title: string;
  jurisdiction: string;
  date: string;
  source: string;
  is_default: boolean;
};

/** A critical metric against its target. */
export type Critical = {
  metric: string;
  target: number;
  value: number | null;
  interval: [number, number] | null;
  count: number;
  missing: number;
  errors: number;
  trend: number | null;
  series: TrendPoint[];
  ratio: number | null;
  status: "excellent" | "good" | "watch" | null;
  reason: string | null;
};

/** All critical metrics. */
export type CriticalReport = {
  metrics: Critical[];
  system_health: number | null;
};

/** The metrics of the last hours. */
export type Current = {
  timestamp: string;
  hours: number;
  metrics: { [name: string]: MetricFigures };
  categories: Category[];
};

/** Finished runs over the same questions. */
export type DatasetEntry = {
  id: string;
  name: string;
  runs: RunPoint[];
};

/** How well a metric's verdicts at its default threshold agree with the labels. */
export type DecisionEntry = {
  threshold: number;
  decided: number;
  unsure: number;
  precision: number | null;
  recall: number | null;
  balanced_accuracy: number | null;
  reported: number | null;
  labelled: number | null;
};

/** One score over many sessions. */
export type DimensionEntry = {
  count: number;
  mean: number | null;
  minimum: number | null;
  maximum: number | null;
  deviation: number | null;
  reason: string | null;
};

/** A piece of context that the answer may rest on. */
export type DocumentBody = {
  content: string;
  id?: string | null;
  source?: string | null;
  page?: number | null;
  similarity_score?: number | null;
};

/** A piece of context. */
export type DocumentEntry = {
  content: string;
  id: string | null;
  source: string | null;
  page: number | null;
  similarity_score: number | null;
};

/** Why a request was not answered. */
export type Error = {
  error: string;
  code: string;
  id: string;
};

/** A figure with its 95 % interval. */
export type EstimateEntry = {
  value: number | null;
  low: number | null;
  high: number | null;
};

/** An answer to judge in nine dimensions. */
export type EvaluateBody = {
  query?: string | null;
  response?: string | null;
  rag_documents?: (DocumentBody | string)[];
  metadata?: { [name: string]: unknown };
  weights?: { [name: string]: number } | null;
  weights_mode?: "replace" | "merge";
  preset?: string | null;
  policy?: string | null;
  compliance_mode?: "RTI" | "UK_GDPR" | "EU_AI_ACT" | null;
  include_imputed?: boolean;
  session_id?: string | null;
  service_id?: string | null;
};

/** A worked example of a metric. */
export type Example = {
  why: string;
  fields: { [name: string]: unknown };
  options: { [name: string]: unknown };
  value: number | null;
  state: "ok" | "missing" | "imputed" | "error";
  passed: boolean | null;
  evidence: string[] | null;
};

/** Why a test failed, and what may be done. */
export type Failure = {
  root_cause: string;
  category: string;
  detected_patterns: string[];
  recommendations: string[];
};

/** Failed tests that fail because of the same metrics, and share a tag. */
export type FailureGroupEntry = {
  metrics: string[];
  tag: string;
  count: number;
  kinds: SimilarTests[];
};

/** A kind of failure with its count. */
export type FailurePattern = {
  category: string;
  count: number;
  root_cause: string;
  recommendations: string[];
};

/** A family of metrics. */
export type Family = {
  name: string;
  title: string;
  groups: string[];
  metrics: number;
};

/** Feedback on an answer. */
export type FeedbackBody = {
  ratings?: { [name: string]: number };
  comment?: string;
};

/** Feedback as it is kept. */
export type FeedbackEntry = {
  id: number;
  test_id: string;
  created: string;
  author: string;
  ratings: { [name: string]: number };
  comment: string;
  response: string;
};

/** Feedback on an answer, with the answer's id. */
export type FeedbackOf = {
  ratings?: { [name: string]: number };
  comment?: string;
  id: string;
};

/** One field of both documents. */
export type FieldEntry = {
  field_name: string;
  field_type: string;
  gt_value: unknown;
  aio_value: unknown;
  match_strategy: string;
  score: number | null;
  similarity: number | null;
  bucket: string;
  explanation: string;
};

/** A question some of whose answers pass and some do not. */
export type FlakyQuestionEntry = {
  question: string;
  query: string | null;
  judged: number;
  passed: number;
  answers: QuestionAnswerEntry[];
};

/** What became of one gate of a run. */
export type GateEntry = {
  gate: string;
  state: "holds" | "flaky" | "fails" | "undecided";
  passes: boolean;
  explanation: string;
  value: number | null;
  interval: [number, number] | null;
  samples: number;
};

/** The limits of a batch. */
export type Gates = {
  min_accuracy?: number;
  min_consistency?: number;
  min_rqs?: number;
  max_hallucination_rate?: number;
};

/** The tests of a run with one tag or in one language. */
export type Group = {
  name: string;
  total: number;
  passed: number;
  failed: number;
  unsure: number;
  skipped: number;
  unjudged: number;
  pass_rate: number | null;
  avg_duration: number | null;
};

/** One metric over the tests of a group. */
export type GroupCell = {
  count: number;
  mean: number | null;
  interval: [number, number] | null;
  quality: number | null;
  passed: number;
  judged: number;
  pass_rate: number | null;
};

/** The tests of a run with one tag, metric by metric. */
export type GroupRow = {
  name: string;
  total: number;
  cells: { [name: string]: GroupCell };
};

/** The groups of a run against its metrics. */
export type GroupTable = {
  metrics: string[];
  groups: GroupRow[];
  left_out: number;
};

/** The server answers. */
export type Health = {
  status: "ok";
};

/** An evaluation to do in the background: of an upload, or of samples posted along. */
export type JobBody = {
  metrics?: string[];
  profile?: string | null;
  policy?: string | null;
  strategies?: string | { [name: string]: unknown } | null;
  upload?: string | null;
  samples?: { [name: string]: unknown }[] | null;
  run?: string | null;
  format?: string | null;
  columns?: { [name: string]: string };
  limit?: number | null;
  score_repeats?: boolean;
  escalate?: boolean;
};

/** A job and how far it is. */
export type JobEntry = {
  id: string;
  kind: string;
  status: "queued" | "running" | "done" | "failed" | "cancelled";
  created: string;
  updated: string;
  run: string | null;
  upload: string;
  source: string;
  metrics: string[];
  profile: string | null;
  done: number;
  total: number | null;
  error: string | null;
};

/** An output beside its ground truth. */
export type JsonAnswerEntry = {
  completeness: number;
  hallucination: number;
  accuracy: number | null;
  safety_score: number | null;
  toxicity: number | null;
  tone: string | null;
  rqs: number | null;
  rqs_normalized: number | null;
  consistency: number | null;
  field_scores: FieldEntry[];
  gt_keys: string[];
  aio_keys: string[];
  matching_keys: string[];
  extra_keys: string[];
  missing_keys: string[];
  gt_null_aio_has_value: string[];
  aio_missing_or_null: string[];
  both_non_null: string[];
  ignored_keys: string[];
  is_vacuous: boolean;
  notes: string[];
  error: string | null;
};

/** Several outputs beside one ground truth. */
export type JsonBatchAnswer = {
  results: JsonAnswerEntry[];
  best_index: number | null;
  best_rqs: number | null;
  mean_rqs: number | null;
  variance: number | null;
  std_dev: number | null;
  ranking: number[];
  consistency: number | null;
  mean_accuracy: number | null;
  hallucination_rate: number | null;
  status: "PASS" | "FAIL";
  reasons: string[];
};

/** A ground truth and several outputs. */
export type JsonBatchBody = {
  strategies?: string | { [name: string]: unknown } | null;
  options?: JsonOptionsBody;
  repair?: boolean;
  ground_truth: unknown;
  outputs: unknown[];
  gates?: Gates;
};

/** A ground truth and an output; each a document, or JSON text. */
export type JsonCompareBody = {
  strategies?: string | { [name: string]: unknown } | null;
  options?: JsonOptionsBody;
  repair?: boolean;
  ground_truth: unknown;
  output: unknown;
};

/** Choices of a comparison; an absent one has its default. */
export type JsonOptionsBody = {
  typed?: boolean;
  fuzzy_threshold?: number;
  semantic_threshold?: number;
  text_threshold?: number;
  depth?: "top" | "nested";
  ignore_scope?: "accuracy" | "all";
  vacuous_accuracy?: "one" | "zero" | "none";
  count_null_extras?: boolean;
  list_alignment?: "order" | "best" | "key";
  list_key?: string;
  list_order_matters?: boolean | null;
  numeric_tolerance?: number | null;
  date?: "" | "ymd" | "dmy" | "mdy";
  number_without_units?: boolean;
  ignore_case?: boolean;
  ignore_whitespace?: boolean;
  w_accuracy?: number;
  w_completeness?: number;
  w_hallucination?: number;
  w_safety?: number;
};

/** One pair of a file: its comparison, or why there is none. */
export type JsonPairEntry = {
  name: string;
  result: JsonAnswerEntry | null;
  problem: string | null;
};

/** The pairs of a file, compared. */
export type JsonPairsAnswer = {
  items: JsonPairEntry[];
  compared: number;
  problems: number;
  mean_accuracy: number | null;
  mean_completeness: number | null;
  mean_hallucination: number | null;
  mean_rqs: number | null;
};

/** Text that should be JSON. */
export type JsonText = {
  text: string;
};

/** What text says as JSON, and what was done to read it. */
export type JsonTextAnswer = {
  value: unknown;
  repairs: string[];
};

/** Pairs of an upload: `expected_json` beside `response_json` or the response's text. */
export type JsonUploadBody = {
  strategies?: string | { [name: string]: unknown } | null;
  options?: JsonOptionsBody;
  repair?: boolean;
  upload: string;
  limit?: number;
  offset?: number;
};

/** What the judge of a run was asked, and what that took. */
export type JudgeUsage = {
  calls: number;
  cached: number;
  prompt_tokens: number;
  completion_tokens: number;
  is_usage_estimated: boolean;
  usd: number | null;
};

/** A person's verdict on a sample; null takes an earlier one back. */
export type LabelBody = {
  label: "pass" | "fail" | null;
  note?: string;
  rater?: string | null;
};

/** What one person says of one sample. */
export type LabelEntry = {
  rater: string;
  label: "pass" | "fail";
  note: string;
  created: string;
};

/** The samples from which calibration learns most. */
export type LabelQueue = {
  items: QueueEntry[];
  left: number;
  is_enough: boolean;
  agreement: EstimateEntry | null;
};

/** The labels of a run. */
export type LabelReport = {
  samples: number;
  good: number;
  bad: number;
  disputed: number;
  raters: RaterEntry[];
  kappa: EstimateEntry | null;
};

/** What a browser logs in with. */
export type Login = {
  key: string;
};

/** How people can log in. */
export type LoginWays = {
  key: boolean;
  oidc: string | null;
};

/** How a run did on a question. */
export type MatrixCell = {
  test_id: string;
  status: string;
  score: number | null;
  response: string | null;
};

/** Questions against runs; lost questions come first. */
export type MatrixEntry = {
  runs: string[];
  paired_by: "id" | "query";
  counts: { [name: string]: number };
  rows: MatrixRowEntry[];
  total: number;
  limit: number;
  offset: number;
};

/** One question with a cell for each run; null where a run does not have it. */
export type MatrixRowEntry = {
  key: string;
  query: string | null;
  change: "all" | "changed" | "lost" | "gained";
  cells: (MatrixCell | null)[];
};

/** Who asks. */
export type Me = {
  name: string;
  role: "read" | "write" | "admin";
  is_local: boolean;
  project: string;
  projects: string[];
  is_server_admin: boolean;
  judge: string;
};

/** Somebody's role in a project. */
export type MemberBody = {
  member: string;
  role: "read" | "write" | "admin";
};

/** A member of a project. */
export type MemberEntry = {
  member: string;
  role: string;
  created: string;
};

/** One metric in one hour. */
export type MetricBucket = {
  count: number;
  sum: number;
  minimum: number | null;
  maximum: number | null;
  passed: number;
  unsure: number;
  judged: number;
  missing: number;
  imputed: number;
  errors: number;
  mean: number | null;
  weighted_mean: number | null;
  deviation: number | null;
  pass_rate: number | null;
  reason: string | null;
  time_bucket: string;
};

/** One metric, the overall score or the pass rate in both runs; a difference is B − A. */
export type MetricChangeEntry = {
  metric: string;
  pairs: number;
  changed: number;
  mean_a: number | null;
  mean_b: number | null;
  difference: number | null;
  interval: [number, number] | null;
  test: string;
  p: number | null;
  adjusted_p: number | null;
  effect: number | null;
  detectable: number | null;
  tolerance: number;
  pairs_needed: number | null;
  lost: number;
  gained: number;
  polarity: "higher" | "lower" | "neutral" | null;
  verdict: "better" | "worse" | "higher" | "lower" | "no real change" | "too few samples";
  rule_changes: string[];
};

/** What is declared of a metric, and what it was measured to be worth. */
export type MetricEntry = {
  id: string;
  family: string;
  group: string;
  name: string;
  label: string;
  summary: string;
  inputs: string[];
  needs: string[];
  range: [number | null, number | null];
  unit: string;
  polarity: "higher" | "lower" | "neutral";
  threshold: number | null;
  unsure: [number, number] | null;
  exact: boolean;
  gates: boolean;
  version: number;
  tags: string[];
  aliases: string[];
  languages: string[];
  is_composite: boolean;
  measured: AgreementEntry[];
};

/** One metric over some tests, in its native scale. */
export type MetricFigures = {
  count: number;
  sum: number;
  minimum: number | null;
  maximum: number | null;
  passed: number;
  unsure: number;
  judged: number;
  missing: number;
  imputed: number;
  errors: number;
  mean: number | null;
  weighted_mean: number | null;
  deviation: number | null;
  pass_rate: number | null;
  reason: string | null;
};

/** All that there is to know about one metric. */
export type MetricPage = {
  id: string;
  family: string;
  group: string;
  name: string;
  label: string;
  summary: string;
  inputs: string[];
  needs: string[];
  range: [number | null, number | null];
  unit: string;
  polarity: "higher" | "lower" | "neutral";
  threshold: number | null;
  unsure: [number, number] | null;
  exact: boolean;
  gates: boolean;
  version: number;
  tags: string[];
  aliases: string[];
  languages: string[];
  is_composite: boolean;
  measured: AgreementEntry[];
  documentation: string;
  parameters: string[];
  lexicons: string[];
  options: { [name: string]: unknown };
  examples: Example[];
};

/** The values of one metric in a run, to look where a threshold should lie. */
export type MetricValues = {
  metric: string;
  threshold: number | null;
  values: number[];
  labels: ("pass" | "fail" | null)[];
  total: number;
};

/** All that the first page shows. */
export type Overview = {
  statistics: Statistics;
  critical: CriticalReport;
  categories: Category[];
  radar: Axis[];
  timeseries: TestBucket[];
};

export type PageOfAuditEntry = {
  items: AuditEntry[];
  total: number;
  limit: number;
  offset: number;
};

export type PageOfFeedbackEntry = {
  items: FeedbackEntry[];
  total: number;
  limit: number;
  offset: number;
};

export type PageOfFlakyQuestionEntry = {
  items: FlakyQuestionEntry[];
  total: number;
  limit: number;
  offset: number;
};

export type PageOfJobEntry = {
  items: JobEntry[];
  total: number;
  limit: number;
  offset: number;
};

export type PageOfRunEntry = {
  items: RunEntry[];
  total: number;
  limit: number;
  offset: number;
};

export type PageOfSessionEntry = {
  items: SessionEntry[];
  total: number;
  limit: number;
  offset: number;
};

export type PageOfTestEntry = {
  items: TestEntry[];
  total: number;
  limit: number;
  offset: number;
};

/** Spans of which no test could be made, in the words of OTLP. */
export type PartialSuccess = {
  rejectedSpans: string;
  errorMessage: string;
};

/** A policy pack with all its rules. */
export type PolicyPage = {
  mode: string;
  policy: string;
  title: string;
  jurisdiction: string;
  date: string;
  source: string;
  is_default: boolean;
  licence: string;
  languages: string[];
  fingerprint: string;
  force_to_zero: string | null;
  sections: PolicySection[];
};

/** One clause of a policy pack with its words, or one pattern. */
export type PolicyRule = {
  name: string;
  title: string;
  words: string[];
  weight: number | null;
  check: string;
  matches: string[];
  rejects: string[];
};

/** The rules of one kind. */
export type PolicySection = {
  section: string;
  looked_for_in: "query" | "response";
  rules: PolicyRule[];
};

/** A department's weights. */
export type PresetEntry = {
  name: string;
  title: string;
  weights: { [name: string]: number };
  policy: string;
};

/** What is already known of a file's columns. */
export type PreviewBody = {
  columns?: { [name: string]: string };
  format?: string | null;
};

/** A profile, in parts or as the text of a file; a stored one is replaced by a new version. */
export type ProfileBody = {
  text?: string | null;
  title?: string;
  source?: string;
  metrics?: string[];
  thresholds?: { [name: string]: number };
  options?: { [name: string]: { [name: string]: unknown } };
  weights?: { [name: string]: number };
  policy?: string | null;
  json_options?: { [name: string]: unknown } | null;
  expected_version?: number | null;
};

/** A profile. */
export type ProfileEntry = {
  name: string;
  is_bundled: boolean;
  version: number | null;
  created: string | null;
  author: string | null;
  title: string;
  source: string;
  metrics: string[];
  thresholds: { [name: string]: number };
  options: { [name: string]: { [name: string]: unknown } };
  weights: { [name: string]: number };
  policy: string;
  text: string;
};

/** A project's name. */
export type ProjectBody = {
  name: string;
};

/** A project of the caller. */
export type ProjectEntry = {
  name: string;
  role: string;
  is_current: boolean;
};

/** A question to a judge, as the product asks it. */
export type PromptEntry = {
  key: string;
  text: string;
};

/** One of several answers to a question; a long text is cut. */
export type QuestionAnswerEntry = {
  test_id: string;
  test_name: string;
  status: string;
  score: number | null;
  response: string | null;
};

/** A sample to look at next. */
export type QueueEntry = {
  test: TestEntry;
  reason: string;
};

/** One rater over a run. */
export type RaterEntry = {
  rater: string;
  labels: number;
  shared: number;
  agreement: number | null;
};

/** Why a dimension is among the lowest. */
export type ReasonEntry = {
  dimension: string;
  score: number;
  reason: string;
};

/** A mean over questions, 0 to 1. */
export type RepeatFigureEntry = {
  value: number | null;
  interval: [number, number] | null;
  questions: number;
};

/** An answer to feedback. */
export type RespondBody = {
  response: string;
};

/** One metric's score of one sample. */
export type ResultEntry = {
  value: number | null;
  quality: number | null;
  passed: boolean | null;
  verdict: "pass" | "fail" | "unsure" | null;
  gates: boolean;
  threshold: number | null;
  state: "ok" | "missing" | "imputed" | "error";
  explanation: string;
  evidence: SpanEntry[];
  details: { [name: string]: unknown };
  signature: string;
};

/** The samples on one side of the comparison of those that needed a retry with the others. */
export type RetryGroupEntry = {
  passed: number;
  judged: number;
  pass_rate: number | null;
  mean_quality: number | null;
};

/** What to change about a run; what is absent stays. */
export type RunChange = {
  name?: string | null;
  note?: string | null;
  is_baseline?: boolean | null;
};

/** A stored run. */
export type RunDetail = {
  name: string;
  status: string;
  created: string;
  updated: string;
  finished: string | null;
  source: string;
  tags: string[];
  tests: number;
  unread: number;
  total: number | null;
  overall: number | null;
  pass_rate: number | null;
  metrics: string[];
  note: string;
  is_baseline: boolean;
  settings: { [name: string]: unknown };
  judged: number;
  passed: number;
  failed: number;
  unsure: number;
  unjudged: number;
  gating: string[];
  causes: { [name: string]: number };
  selection: string;
  overall_interval: [number, number] | null;
  pass_rate_interval: [number, number] | null;
  problems: string[];
  gates: GateEntry[];
  judge: JudgeUsage | null;
  repeats: RunRepeats | null;
  retries: RunRetries | null;
  tag_groups: Group[];
  language_groups: Group[];
};

/** A stored run in a list. */
export type RunEntry = {
  name: string;
  status: string;
  created: string;
  updated: string;
  finished: string | null;
  source: string;
  tags: string[];
  tests: number;
  unread: number;
  total: number | null;
  overall: number | null;
  pass_rate: number | null;
  metrics: string[];
  note: string;
  is_baseline: boolean;
};

/** One metric over a whole run, in its native scale. */
export type RunMetric = {
  metric: string;
  samples: number;
  scored: number;
  missing: number;
  imputed: number;
  errors: number;
  mean: number | null;
  mean_interval: [number, number] | null;
  weighted_mean: number | null;
  weighted_mean_interval: [number, number] | null;
  minimum: number | null;
  maximum: number | null;
  passed: number;
  judged: number;
  pass_rate: number | null;
  pass_rate_interval: [number, number] | null;
  threshold: number | null;
  signature: string;
  distribution: number[];
  reasons: { [name: string]: number };
  unsure: number;
  applicable: number | null;
  gates: boolean;
  estimated_pass_rate: number | null;
  estimated_pass_rate_interval: [number, number] | null;
  estimated_samples: number;
};

/** A finished run of a dataset, as a point of its trend. */
export type RunPoint = {
  name: string;
  created: string;
  source: string;
  tags: string[];
  note: string;
  is_baseline: boolean;
  tests: number;
  judged: number;
  passed: number;
  failed: number;
  unsure: number;
  pass_rate: number | null;
  pass_rate_interval: [number, number] | null;
  overall: number | null;
  overall_interval: [number, number] | null;
};

/** What several answers to each question of a run come to. */
export type RunRepeats = {
  questions: number;
  answers: number;
  counts: [number, number, number][];
  figures: { [name: string]: RepeatFigureEntry };
};

/** Samples that the target answered only after a retry, compared with the others. */
export type RunRetries = {
  samples: number;
  retried: RetryGroupEntry;
  others: RetryGroupEntry;
  p_value: number | null;
  differs: boolean;
};

/** One sample in both runs. */
export type SampleChangeEntry = {
  id_a: string;
  id_b: string;
  size: number;
  query: string | null;
  response_a: string | null;
  response_b: string | null;
  scores: ScoreChangeEntry[];
};

/** The sample as it was scored; absent fields are null or empty. */
export type SampleEntry = {
  id: string;
  query: string | null;
  response: string | null;
  expected: string | null;
  contexts: DocumentEntry[];
  gold_context: string | null;
  expected_sources: string[];
  known_facts: string[];
  candidates: string[];
  responses: string[];
  previous_responses: string[];
  conversation: { [name: string]: unknown }[];
  translations: { [name: string]: string };
  expected_json: unknown;
  response_json: unknown;
  json_schema: unknown;
  checks: unknown[];
  duration: number | null;
  first_token_time: number | null;
  response_tokens: number | null;
  task_completed: boolean | null;
  expected_steps: number | null;
  steps_taken: number | null;
  errors_encountered: number | null;
  tools: unknown[] | null;
  tools_used: string[] | null;
  tools_succeeded: string[] | null;
  tool_calls: unknown[] | null;
  expected_tool_calls: unknown[] | null;
  trajectory_rules: { [name: string]: unknown } | null;
  steps: string[] | null;
  tags: string[];
  language: string | null;
  metadata: { [name: string]: unknown };
};

/** All scores of one sample. */
export type ScoreAnswer = {
  id: string;
  score: number | null;
  passed: boolean | null;
  verdict: "pass" | "fail" | "unsure" | null;
  selection: string;
  scores: { [name: string]: ResultEntry };
};

/** One sample to score now. */
export type ScoreBody = {
  metrics?: string[];
  profile?: string | null;
  policy?: string | null;
  strategies?: string | { [name: string]: unknown } | null;
  sample: { [name: string]: unknown };
  format?: string | null;
};

/** One metric of one sample in both runs. */
export type ScoreChangeEntry = {
  metric: string;
  value_a: number;
  value_b: number;
  explanation_a: string;
  explanation_b: string;
};

/** A system whose answers were judged. */
export type ServiceEntry = {
  id: string;
  sessions: number;
  last: string;
};

/** Figures of the sessions of a service, or of all services. */
export type ServiceStats = {
  service_id: string | null;
  sessions: number;
  overall: DimensionEntry;
  verdict: "PASS" | "REVIEW" | "FAIL" | null;
  dimensions: { [name: string]: DimensionEntry };
  metrics: { [name: string]: DimensionEntry };
};

/** A session: its answers, the newest first, and the feedback on them. */
export type SessionAnswer = {
  session_id: string;
  service_id: string | null;
  turns: TurnEntry[];
  total: number;
  feedback: FeedbackEntry[];
};

/** A judged answer in a list. */
export type SessionEntry = {
  session_id: string;
  test_id: string;
  timestamp: string;
  query: string | null;
  overall_score: number | null;
  verdict: "PASS" | "REVIEW" | "FAIL" | null;
  has_unsupported_claims: boolean;
  service_id: string | null;
};

/** One setting with its value and where that came from. */
export type SettingEntry = {
  name: string;
  group: string;
  value: boolean | number | string | string[];
  default: boolean | number | string | string[];
  source: string;
  help: string;
};

/** Tests whose questions and answers share most of their words. */
export type SimilarTests = {
  count: number;
  examples: TestEntry[];
};

/** One value of a metric's history. */
export type Snapshot = {
  timestamp: string;
  metric_name: string;
  value: number | null;
  labels: { [name: string]: unknown };
};

/** A stretch of a text that caused a score, in characters. */
export type SpanEntry = {
  field: string;
  start: number;
  end: number;
  label: string;
};

/** How a system does now, against last time: the latest run of a dataset and one before it. */
export type Standing = {
  datasets: DatasetEntry[];
  dataset: string | null;
  run: RunPoint | null;
  selection: string;
  causes: { [name: string]: number };
  metrics: RunMetric[];
  unscored: number;
  against: RunPoint | null;
  comparison: Comparison | null;
  problem: string;
  worst: TestEntry[];
};

/** How many tests stand behind the rates. */
export type StatisticCounts = {
  judged: number;
  with_duration: number;
};

/** Figures of the stored tests; rates, health and safety are from 0 to 1. */
export type Statistics = {
  total_tests: number;
  passed: number;
  failed: number;
  unsure: number;
  skipped: number;
  unjudged: number;
  pass_rate: number | null;
  pass_rate_interval: [number, number] | null;
  avg_duration: number | null;
  timeout_rate: number | null;
  max_duration: number | null;
  counts: StatisticCounts;
  health: number | null;
  safety: number | null;
  safety_literal: number | null;
  validation_metrics: { [name: string]: MetricFigures };
  system_metrics: SystemMetrics;
  metrics_tracked: number;
  data_points: number;
  trends: Trends;
  security_test_counts: { [name: string]: number };
};

/** Strategies as a strategy file has them, flat or nested. */
export type StrategiesBody = {
  strategies: { [name: string]: unknown };
};

/** A set of field strategies. */
export type StrategiesEntry = {
  name: string;
  version: number;
  created: string;
  author: string;
  strategies: { [name: string]: unknown };
};

/** The strategy of one field; null removes it. */
export type StrategyBody = {
  field: string;
  strategy: string | { [name: string]: unknown } | null;
};

/** The server's machine: load as a share of its processors, memory of the server in GB. */
export type SystemMetrics = {
  cpu: number | null;
  memory: number | null;
};

/** The critical metrics and their targets, on the metrics' own scales. */
export type Targets = {
  targets: { [name: string]: number };
  version: number;
  defaults: { [name: string]: number };
};

/** Metric → its target. */
export type TargetsBody = {
  targets: { [name: string]: number };
};

/** The tests of one hour; rates, health and safety are from 0 to 1. */
export type TestBucket = {
  time_bucket: string;
  total: number;
  passed: number;
  failed: number;
  pass_rate: number | null;
  avg_duration: number | null;
  health: number | null;
  safety: number | null;
};

/** One test with all that is known of it. */
export type TestDetail = {
  test_id: string;
  run: string;
  timestamp: string;
  status: string;
  score: number | null;
  passed: boolean | null;
  verdict: "pass" | "fail" | "unsure" | null;
  sample: SampleEntry;
  results: { [name: string]: ResultEntry };
  failure: Failure | null;
};

/** A test in a list; long texts are cut. */
export type TestEntry = {
  test_id: string;
  run: string;
  test_name: string;
  timestamp: string;
  status: string;
  duration: number | null;
  language: string;
  test_type: string;
  error_message: string | null;
  score: number | null;
  query: string | null;
  response: string | null;
  value: number | null;
  state: string | null;
  explanation: string | null;
  fails: string[];
  found_in: string[];
};

/** Thresholds to change; null takes one away, so that the metric's own counts again. */
export type ThresholdsBody = {
  thresholds: { [name: string]: number | null };
  expected_version?: number | null;
};

/** The answer that exporters of traces expect: empty when all is well. */
export type TracesTaken = {
  partialSuccess?: PartialSuccess | null;
};

/** A metric's mean over an hour, or over a longer step of a long period. */
export type TrendPoint = {
  time_bucket: string;
  value: number;
  count: number;
};

/** Tests by hour, the oldest first, and the four trends. */
export type TrendReport = {
  timeseries: TestBucket[];
  trends: Trends;
};

/** The change of the last 24 hours against the 24 before, as a share of these: 0.1 is 10 % more.
 * Null where nothing can be compared. */
export type Trends = {
  health_trend: number | null;
  duration_trend: number | null;
  safety_trend: number | null;
  satisfaction_trend: number | null;
};

/** One answer of a session with its card. */
export type TurnEntry = {
  test_id: string;
  timestamp: string;
  query: string | null;
  response: string | null;
  card: CardAnswer;
};

/** An uploaded file that is ready to be evaluated. */
export type UploadEntry = {
  id: string;
  name: string;
  format: string;
  size: number;
  rows: number;
  problems: number;
  created: string;
  author: string;
};

/** How an uploaded file is read: its columns, its first records, and what is wrong with it. */
export type UploadPreview = {
  columns: ColumnEntry[];
  fields: string[];
  doubt: ColumnDoubt | null;
  has_answers: boolean;
  checked: number;
  unreadable: number;
  problems: string[];
};

/** One version of something that is configured. */
export type VersionEntry = {
  name: string;
  version: number;
  created: string;
  author: string;
  is_removed: boolean;
};

/** What each operation takes and answers. */
export interface Operations {
  add_feedback: { given: { body: FeedbackOf }; answer: FeedbackEntry };
  cancel_job: { given: { job_id: string }; answer: JobEntry };
  change_run: { given: { name: string; body: RunChange }; answer: RunEntry };
  change_strategy: { given: { name: string; body: StrategyBody }; answer: StrategiesEntry };
  change_thresholds: { given: { name: string; body: ThresholdsBody }; answer: ProfileEntry };
  choose_project: { given: { body: ProjectBody }; answer: ProjectEntry };
  collect_test: { given: { run?: string; metrics?: string; body: { [name: string]: unknown } }; answer: Collected };
  compare_json: { given: { body: JsonCompareBody }; answer: JsonAnswerEntry };
  compare_json_batch: { given: { body: JsonBatchBody }; answer: JsonBatchAnswer };
  compare_json_upload: { given: { body: JsonUploadBody }; answer: JsonPairsAnswer };
  compare_runs: {
    given: {
      a: string;
      b: string;
      by?: "id" | "query" | "auto";
      metrics?: string;
      correction?: "holm" | "bh" | "none";
      tolerance?: number;
      allow_different?: boolean;
      samples?: number;
    };
    answer: Comparison;
  };
  create_project: { given: { body: ProjectBody }; answer: ProjectEntry };
  create_upload: { given: { name?: string; body: FormData }; answer: UploadEntry };
  delete_profile: { given: { name: string }; answer: undefined };
  delete_run: { given: { name: string }; answer: undefined };
  delete_strategies: { given: { name: string }; answer: undefined };
  delete_upload: { given: { upload_id: string }; answer: undefined };
  evaluate_answer: { given: { body: EvaluateBody }; answer: CardAnswer };
  export_labels: { given: { name: string }; answer: unknown };
  export_profile: { given: { name: string }; answer: unknown };
  export_run: { given: { name: string; format?: "jsonl" | "csv" | "json" | "run" }; answer: unknown };
  export_strategies: { given: { name: string }; answer: unknown };
  get_calibration: { given: { name: string; metric: string; threshold?: number | null }; answer: CalibrationEntry };
  get_current: { given: { hours?: number }; answer: Current };
  get_governance_summary: { given: { hours?: number | null }; answer: ServiceStats };
  get_health: { given: {}; answer: Health };
  get_job: { given: { job_id: string }; answer: JobEntry };
  get_label_queue: { given: { name: string; metric: string; rater?: string; count?: number }; answer: LabelQueue };
  get_latest_json_run: { given: {}; answer: RunDetail };
  get_login_ways: { given: {}; answer: LoginWays };
  get_matrix: {
    given: { runs: string; only?: "all" | "changed" | "lost" | "gained"; limit?: number; offset?: number };
    answer: MatrixEntry;
  };
  get_me: { given: {}; answer: Me };
  get_metric: { given: { metric_id: string }; answer: MetricPage };
  get_overview: {
    given: { language?: string | null; hours?: number | null; run?: string | null; tag?: string };
    answer: Overview;
  };
  get_policy: { given: { name: string }; answer: PolicyPage };
  get_profile: { given: { name: string; version?: number | null }; answer: ProfileEntry };
  get_prometheus: { given: {}; answer: unknown };
  get_prompt: { given: { key: string }; answer: PromptEntry };
  get_run: { given: { name: string }; answer: RunDetail };
  get_run_labels: { given: { name: string }; answer: LabelReport };
  get_service_stats: { given: { service_id: string; hours?: number | null }; answer: ServiceStats };
  get_session: { given: { session_id: string }; answer: SessionAnswer };
  get_standing: { given: { dataset?: string | null }; answer: Standing };
  get_statistics: {
    given: { language?: string | null; hours?: number | null; run?: string | null; tag?: string };
    answer: Statistics;
  };
  get_strategies: { given: { name: string; version?: number | null }; answer: StrategiesEntry };
  get_targets: { given: {}; answer: Targets };
  get_test: { given: { test_id: string }; answer: TestDetail };
  get_trends: {
    given: { language?: string | null; hours?: number | null; run?: string | null; tag?: string };
    answer: TrendReport;
  };
  get_upload: { given: { upload_id: string }; answer: UploadEntry };
  give_feedback: { given: { id: string; body: FeedbackBody }; answer: FeedbackEntry };
  list_audit: {
    given: {
      actor?: string | null;
      action?: string | null;
      subject?: string | null;
      hours?: number | null;
      limit?: number;
      offset?: number;
    };
    answer: PageOfAuditEntry;
  };
  list_categories: { given: { hours?: number | null; run?: string | null; tag?: string }; answer: Category[] };
  list_compliance_modes: { given: {}; answer: ComplianceEntry[] };
  list_critical: { given: { hours?: number | null; run?: string | null; tag?: string }; answer: CriticalReport };
  list_datasets: { given: {}; answer: DatasetEntry[] };
  list_failed_tests: {
    given: {
      text?: string | null;
      run?: string | null;
      language?: string | null;
      tag?: string | null;
      hours?: number | null;
      limit?: number;
      offset?: number;
    };
    answer: PageOfTestEntry;
  };
  list_failure_groups: {
    given: { run?: string | null; language?: string | null; tag?: string | null; hours?: number | null };
    answer: FailureGroupEntry[];
  };
  list_failure_patterns: {
    given: { run?: string | null; language?: string | null; tag?: string | null; hours?: number | null };
    answer: FailurePattern[];
  };
  list_families: { given: {}; answer: Family[] };
  list_feedback: { given: { id?: string | null; limit?: number; offset?: number }; answer: PageOfFeedbackEntry };
  list_flaky_questions: { given: { name: string; limit?: number; offset?: number }; answer: PageOfFlakyQuestionEntry };
  list_history: { given: { metric_type: string; hours?: number }; answer: Snapshot[] };
  list_jobs: {
    given: { status?: "queued" | "running" | "done" | "failed" | "cancelled" | null; limit?: number; offset?: number };
    answer: PageOfJobEntry;
  };
  list_json_runs: { given: { limit?: number; offset?: number }; answer: PageOfRunEntry };
  list_labels: { given: { test_id: string }; answer: LabelEntry[] };
  list_members: { given: { name: string }; answer: MemberEntry[] };
  list_metrics: { given: { selector?: string }; answer: MetricEntry[] };
  list_presets: { given: {}; answer: PresetEntry[] };
  list_profile_versions: { given: { name: string }; answer: VersionEntry[] };
  list_profiles: { given: {}; answer: ProfileEntry[] };
  list_projects: { given: {}; answer: ProjectEntry[] };
  list_prompts: { given: {}; answer: PromptEntry[] };
  list_run_groups: { given: { name: string }; answer: GroupTable };
  list_run_metrics: { given: { name: string }; answer: RunMetric[] };
  list_run_values: { given: { name: string; metric: string; limit?: number }; answer: MetricValues };
  list_runs: { given: { limit?: number; offset?: number }; answer: PageOfRunEntry };
  list_series: {
    given: { metric_id: string; hours?: number | null; run?: string | null; tag?: string };
    answer: MetricBucket[];
  };
  list_services: { given: {}; answer: ServiceEntry[] };
  list_sessions: {
    given: { service?: string | null; hours?: number | null; limit?: number; offset?: number };
    answer: PageOfSessionEntry;
  };
  list_settings: { given: {}; answer: SettingEntry[] };
  list_strategies: { given: {}; answer: StrategiesEntry[] };
  list_strategies_versions: { given: { name: string }; answer: VersionEntry[] };
  list_tests: {
    given: {
      status?: "passed" | "failed" | "unsure" | "skipped" | "unjudged" | null;
      text?: string | null;
      run?: string | null;
      language?: string | null;
      tag?: string | null;
      hours?: number | null;
      limit?: number;
      offset?: number;
      metric?: string | null;
      fails?: string | null;
      value_from?: number | null;
      value_to?: number | null;
      quality_from?: number | null;
      quality_to?: number | null;
      order?: string | null;
    };
    answer: PageOfTestEntry;
  };
  list_uploads: { given: {}; answer: UploadEntry[] };
  load_demo: { given: {}; answer: JobEntry[] };
  login: { given: { body: Login }; answer: Me };
  logout: { given: {}; answer: undefined };
  preview_upload: { given: { upload_id: string; body: PreviewBody }; answer: UploadPreview };
  register_app: { given: { body: AppBody }; answer: AppAnswer };
  remove_app: { given: { name: string }; answer: undefined };
  remove_member: { given: { name: string; member: string }; answer: undefined };
  repair_json: { given: { body: JsonText }; answer: JsonTextAnswer };
  reset_targets: { given: {}; answer: Targets };
  respond_to_feedback: { given: { feedback_id: number; body: RespondBody }; answer: FeedbackEntry };
  resume_job: { given: { job_id: string }; answer: JobEntry };
  rotate_app_key: { given: { name: string }; answer: AppAnswer };
  save_profile: { given: { name: string; body: ProfileBody }; answer: ProfileEntry };
  save_strategies: { given: { name: string; body: StrategiesBody }; answer: StrategiesEntry };
  save_targets: { given: { body: TargetsBody }; answer: Targets };
  score_sample: { given: { body: ScoreBody }; answer: ScoreAnswer };
  set_label: { given: { test_id: string; body: LabelBody }; answer: LabelEntry[] };
  set_member: { given: { name: string; body: MemberBody }; answer: MemberEntry[] };
  start_job: { given: { body: JobBody }; answer: JobEntry };
  take_traces: { given: { run?: string; metrics?: string; body: { [name: string]: unknown } }; answer: TracesTaken };
  watch_all: { given: {}; answer: unknown };
  watch_job: { given: { job_id: string }; answer: unknown };
}

/** Method, path and the names of query parameters of each operation. */
export const OPERATIONS: { readonly [Name in keyof Operations]: readonly [string, string, ...string[]] } = {
  add_feedback: ["POST", "/v1/feedback"],
  cancel_job: ["DELETE", "/v1/jobs/{job_id}"],
  change_run: ["PATCH", "/v1/runs/{name}"],
  change_strategy: ["PATCH", "/v1/strategies/{name}"],
  change_thresholds: ["PATCH", "/v1/profiles/{name}/thresholds"],
  choose_project: ["POST", "/v1/project"],
  collect_test: ["POST", "/v1/collect", "run", "metrics"],
  compare_json: ["POST", "/v1/json/compare"],
  compare_json_batch: ["POST", "/v1/json/batch"],
  compare_json_upload: ["POST", "/v1/json/upload"],
  compare_runs: [
    "GET",
    "/v1/compare",
    "a",
    "b",
    "by",
    "metrics",
    "correction",
    "tolerance",
    "allow_different",
    "samples",
  ],
  create_project: ["POST", "/v1/projects"],
  create_upload: ["POST", "/v1/uploads", "name"],
  delete_profile: ["DELETE", "/v1/profiles/{name}"],
  delete_run: ["DELETE", "/v1/runs/{name}"],
  delete_strategies: ["DELETE", "/v1/strategies/{name}"],
  delete_upload: ["DELETE", "/v1/uploads/{upload_id}"],
  evaluate_answer: ["POST", "/v1/evaluate"],
  export_labels: ["GET", "/v1/runs/{name}/labels.jsonl"],
  export_profile: ["GET", "/v1/profiles/{name}/export"],
  export_run: ["GET", "/v1/runs/{name}/export", "format"],
  export_strategies: ["GET", "/v1/strategies/{name}/export"],
  get_calibration: ["GET", "/v1/runs/{name}/calibration", "metric", "threshold"],
  get_current: ["GET", "/v1/current", "hours"],
  get_governance_summary: ["GET", "/v1/metrics/summary", "hours"],
  get_health: ["GET", "/v1/health"],
  get_job: ["GET", "/v1/jobs/{job_id}"],
  get_label_queue: ["GET", "/v1/runs/{name}/queue", "metric", "rater", "count"],
  get_latest_json_run: ["GET", "/v1/json/latest"],
  get_login_ways: ["GET", "/v1/login"],
  get_matrix: ["GET", "/v1/matrix", "runs", "only", "limit", "offset"],
  get_me: ["GET", "/v1/me"],
  get_metric: ["GET", "/v1/metrics/{metric_id}"],
  get_overview: ["GET", "/v1/overview", "language", "hours", "run", "tag"],
  get_policy: ["GET", "/v1/compliance-modes/{name}"],
  get_profile: ["GET", "/v1/profiles/{name}", "version"],
  get_prometheus: ["GET", "/metrics"],
  get_prompt: ["GET", "/v1/prompts/{key}"],
  get_run: ["GET", "/v1/runs/{name}"],
  get_run_labels: ["GET", "/v1/runs/{name}/labels"],
  get_service_stats: ["GET", "/v1/services/{service_id}/stats", "hours"],
  get_session: ["GET", "/v1/sessions/{session_id}"],
  get_standing: ["GET", "/v1/standing", "dataset"],
  get_statistics: ["GET", "/v1/statistics", "language", "hours", "run", "tag"],
  get_strategies: ["GET", "/v1/strategies/{name}", "version"],
  get_targets: ["GET", "/v1/targets"],
  get_test: ["GET", "/v1/tests/{test_id}"],
  get_trends: ["GET", "/v1/trends", "language", "hours", "run", "tag"],
  get_upload: ["GET", "/v1/uploads/{upload_id}"],
  give_feedback: ["POST", "/v1/feedback/{id}"],
  list_audit: ["GET", "/v1/audit", "actor", "action", "subject", "hours", "limit", "offset"],
  list_categories: ["GET", "/v1/categories", "hours", "run", "tag"],
  list_compliance_modes: ["GET", "/v1/compliance-modes"],
  list_critical: ["GET", "/v1/critical", "hours", "run", "tag"],
  list_datasets: ["GET", "/v1/datasets"],
  list_failed_tests: ["GET", "/v1/tests/failed", "text", "run", "language", "tag", "hours", "limit", "offset"],
  list_failure_groups: ["GET", "/v1/tests/failed/groups", "run", "language", "tag", "hours"],
  list_failure_patterns: ["GET", "/v1/tests/failed/patterns", "run", "language", "tag", "hours"],
  list_families: ["GET", "/v1/families"],
  list_feedback: ["GET", "/v1/feedback", "id", "limit", "offset"],
  list_flaky_questions: ["GET", "/v1/runs/{name}/flaky", "limit", "offset"],
  list_history: ["GET", "/v1/history/{metric_type}", "hours"],
  list_jobs: ["GET", "/v1/jobs", "status", "limit", "offset"],
  list_json_runs: ["GET", "/v1/json/runs", "limit", "offset"],
  list_labels: ["GET", "/v1/tests/{test_id}/labels"],
  list_members: ["GET", "/v1/projects/{name}/members"],
  list_metrics: ["GET", "/v1/metrics", "selector"],
  list_presets: ["GET", "/v1/presets"],
  list_profile_versions: ["GET", "/v1/profiles/{name}/history"],
  list_profiles: ["GET", "/v1/profiles"],
  list_projects: ["GET", "/v1/projects"],
  list_prompts: ["GET", "/v1/prompts"],
  list_run_groups: ["GET", "/v1/runs/{name}/groups"],
  list_run_metrics: ["GET", "/v1/runs/{name}/metrics"],
  list_run_values: ["GET", "/v1/runs/{name}/values", "metric", "limit"],
  list_runs: ["GET", "/v1/runs", "limit", "offset"],
  list_series: ["GET", "/v1/series/{metric_id}", "hours", "run", "tag"],
  list_services: ["GET", "/v1/services"],
  list_sessions: ["GET", "/v1/sessions", "service", "hours", "limit", "offset"],
  list_settings: ["GET", "/v1/settings"],
  list_strategies: ["GET", "/v1/strategies"],
  list_strategies_versions: ["GET", "/v1/strategies/{name}/history"],
  list_tests: [
    "GET",
    "/v1/tests",
    "status",
    "text",
    "run",
    "language",
    "tag",
    "hours",
    "limit",
    "offset",
    "metric",
    "fails",
    "value_from",
    "value_to",
    "quality_from",
    "quality_to",
    "order",
  ],
  list_uploads: ["GET", "/v1/uploads"],
  load_demo: ["POST", "/v1/demo"],
  login: ["POST", "/v1/login"],
  logout: ["POST", "/v1/logout"],
  preview_upload: ["POST", "/v1/uploads/{upload_id}/preview"],
  register_app: ["POST", "/v1/apps"],
  remove_app: ["DELETE", "/v1/apps/{name}"],
  remove_member: ["DELETE", "/v1/projects/{name}/members/{member}"],
  repair_json: ["POST", "/v1/json/repair"],
  reset_targets: ["DELETE", "/v1/targets"],
  respond_to_feedback: ["POST", "/v1/feedback/{feedback_id}/respond"],
  resume_job: ["POST", "/v1/jobs/{job_id}/resume"],
  rotate_app_key: ["POST", "/v1/apps/{name}/rotate-key"],
  save_profile: ["PUT", "/v1/profiles/{name}"],
  save_strategies: ["PUT", "/v1/strategies/{name}"],
  save_targets: ["PUT", "/v1/targets"],
  score_sample: ["POST", "/v1/score"],
  set_label: ["PUT", "/v1/tests/{test_id}/label"],
  set_member: ["PUT", "/v1/projects/{name}/members"],
  start_job: ["POST", "/v1/jobs"],
  take_traces: ["POST", "/v1/traces", "run", "metrics"],
  watch_all: ["GET", "/v1/stream"],
  watch_job: ["GET", "/v1/jobs/{job_id}/events"],
};
