import { useEffect } from "react";
import type { UploadEntry, UploadPreview } from "../../api/generated/schema";
import { useAnswer } from "../../api/use-answer";
import { Await } from "../../components/ui/Await";
import { Notice } from "../../components/ui/Notice";
import { formatCount, labelOf } from "../../lib/format";

/** Column → the field that a person says it gives, or METADATA. */
export type ColumnChoice = Readonly<Record<string, string>>;

/** What a column is said to give that gives no field of its own, as the server calls it. */
const METADATA = "metadata";
const USUAL = 7;

/** The first records of a file under drop-downs that say what each column is read as. */
export function Preview({
  upload,
  columns,
  onChange,
  onRead,
}: {
  upload: UploadEntry;
  columns: ColumnChoice;
  onChange: (columns: ColumnChoice) => void;
  onRead: (isReady: boolean) => void;
}) {
  const answer = useAnswer(
    "preview_upload",
    { upload_id: upload.id, body: { columns: { ...columns } } },
    { keeps: true },
  );
  const isReady = Boolean(answer.data && !answer.isLoading && !answer.data.doubt && answer.data.has_answers);
  useEffect(() => onRead(isReady), [isReady, onRead]);
  const choose = (column: string, field: string, read: UploadPreview) => {
    const others = Object.entries(columns).filter(([name, given]) => name !== column && given !== field);
    const before = read.columns.find((entry) => entry.field === field && entry.name !== column && field);
    onChange({
      ...Object.fromEntries(others),
      ...(before ? { [before.name]: METADATA } : {}),
      [column]: field || METADATA,
    });
  };
  return (
    <section aria-label="How the file is read">
      <p>
        <strong dir="auto">{upload.name}</strong>{" "}
        <span className="muted small">
          {upload.format}, {formatCount(upload.rows)} {upload.rows === 1 ? "record" : "records"}
        </span>
      </p>
      <Await answer={answer}>
        {(read) => (
          <>
            <Reading read={read} upload={upload} />
            <div className="table-scroll preview" tabIndex={0}>
              <table>
                <caption className="unseen">The first records, and what each column is read as</caption>
                <thead>
                  <tr>
                    {read.columns.map((column) => (
                      <th key={column.name} scope="col" data-read={column.field ? true : undefined}>
                        <span dir="auto">{column.name || "(no name)"}</span>
                        <FieldChoice
                          column={column.name}
                          field={column.field ?? ""}
                          fields={read.fields}
                          isAsked={read.doubt?.columns.includes(column.name) ?? false}
                          onChoose={(field) => choose(column.name, field, read)}
                        />
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {(read.columns[0]?.values ?? []).map((_, row) => (
                    <tr key={row}>
                      {read.columns.map((column) => (
                        <td key={column.name} data-label={column.name} data-read={column.field ? true : undefined}>
                          <span className="excerpt" dir="auto">
                            {column.values[row]}
                          </span>
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </>
        )}
      </Await>
    </section>
  );
}

/** Which columns may be a field, and what to do about it. */
function doubtOf(columns: string[], field: string) {
  const quoted = columns.map((column) => `“${column}”`).join(" and ");
  if (columns.length > 1) return `${quoted} may each be the ${field}. Choose which one below.`;
  return `${quoted} may be the ${field}, but does not look like it. Choose below what it is.`;
}

/** What is clear, what is not, and what cannot be read. */
function Reading({ read, upload }: { read: UploadPreview; upload: UploadEntry }) {
  const said = read.columns.filter((column) => column.field).map((column) => `${column.field} = ${column.name}`);
  if (read.doubt) return <Notice tone="warn">{doubtOf(read.doubt.columns, read.doubt.field)}</Notice>;
  if (!read.has_answers)
    return (
      <Notice tone="warn">
        No column gives the response. Choose “Response” above the column with the answers of your system.
      </Notice>
    );
  return (
    <>
      <p className="muted small" dir="auto">
        Read as: {said.join(", ")}. The other columns are kept as metadata.
      </p>
      {read.unreadable > 0 && (
        <Notice tone="warn">
          {formatCount(read.unreadable)} of {read.checked < upload.rows ? "the first " : ""}
          {formatCount(read.checked)} records cannot be read and will be left out:
          <ul>
            {read.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}

function FieldChoice({
  column,
  field,
  fields,
  isAsked,
  onChoose,
}: {
  column: string;
  field: string;
  fields: readonly string[];
  isAsked: boolean;
  onChoose: (field: string) => void;
}) {
  const options = (names: readonly string[]) =>
    names
      .filter((name) => name !== METADATA)
      .map((name) => (
        <option key={name} value={name}>
          {labelOf(name)}
        </option>
      ));
  return (
    <select
      aria-label={`${column || "(no name)"} is read as`}
      data-asked={isAsked || undefined}
      value={field === METADATA ? "" : field}
      disabled={!column}
      onChange={(event) => onChoose(event.target.value)}
    >
      <option value="">{isAsked ? "Choose …" : "Not used"}</option>
      {options(fields.slice(0, USUAL))}
      <optgroup label="Further fields">{options(fields.slice(USUAL))}</optgroup>
    </select>
  );
}
