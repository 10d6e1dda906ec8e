import { useEffect } from "react";
import type { UploadEntry, UploadPreview } from "../../api/generated/schema";
import { useAnswer } from "../../api/use-answer";
import { Await } from "../../components/ui/Await";
import { Notice } from "../../components/ui/Notice";
import { formatList, labelOf } from "../../lib/format";
import { rich, t } from "../../lib/messages";

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
    <section aria-label={t("tryIt.howTheFileIsRead")}>
      <p>
        <strong dir="auto">{upload.name}</strong>{" "}
        <span className="muted small">{t("tryIt.formatAndRecords", { format: upload.format, rows: upload.rows })}</span>
      </p>
      <Await answer={answer}>
        {(read) => (
          <>
            <Reading read={read} upload={upload} />
            <div className="table-scroll preview" tabIndex={0}>
              <table>
                <caption className="unseen">{t("tryIt.theFirstRecordsAndWhatEach")}</caption>
                <thead>
                  <tr>
                    {read.columns.map((column) => (
                      <th key={column.name} scope="col" data-read={column.field ? true : undefined}>
                        <span dir="auto">{column.name || t("tryIt.noName")}</span>
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
  const quoted = formatList(columns.map((column) => `“${column}”`));
  if (columns.length > 1) return t("tryIt.mayEachBeTheChooseWhichOne", { quoted, field });
  return t("tryIt.mayBeTheButDoesNotLook", { quoted, field });
}

/** What is clear, what is not, and what cannot be read. */
function Reading({ read, upload }: { read: UploadPreview; upload: UploadEntry }) {
  const said = read.columns.filter((column) => column.field).map((column) => `${column.field} = ${column.name}`);
  if (read.doubt) return <Notice tone="warn">{doubtOf(read.doubt.columns, read.doubt.field)}</Notice>;
  if (!read.has_answers) return <Notice tone="warn">{t("tryIt.noColumnGivesTheResponseChoose")}</Notice>;
  return (
    <>
      <p className="muted small" dir="auto">
        {t("tryIt.readAsTheOtherColumnsAreKept", { said: said.join(", ") })}
      </p>
      {read.unreadable > 0 && (
        <Notice tone="warn">
          {rich(read.checked < upload.rows ? "tryIt.unreadableOfFirst" : "tryIt.unreadableOfAll", {
            unreadable: read.unreadable,
            checked: read.checked,
            problems: (
              <ul>
                {read.problems.map((problem) => (
                  <li key={problem}>{problem}</li>
                ))}
              </ul>
            ),
          })}
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
      aria-label={t("tryIt.isReadAs", { column: column || t("tryIt.noName") })}
      data-asked={isAsked || undefined}
      value={field === METADATA ? "" : field}
      disabled={!column}
      onChange={(event) => onChoose(event.target.value)}
    >
      <option value="">{isAsked ? t("tryIt.choose") : t("tryIt.notUsed")}</option>
      {options(fields.slice(0, USUAL))}
      <optgroup label={t("tryIt.furtherFields")}>{options(fields.slice(USUAL))}</optgroup>
    </select>
  );
}
