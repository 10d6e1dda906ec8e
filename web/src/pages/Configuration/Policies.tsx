import type { ComplianceEntry, PolicyRule, PolicySection } from "../../api/generated/schema";
import { useAnswer } from "../../api/use-answer";
import { Await } from "../../components/ui/Await";
import { Badge } from "../../components/ui/Badge";
import { type Column, Table } from "../../components/ui/Table";
import { formatNumber, labelOf } from "../../lib/format";
import { rich, t, word } from "../../lib/messages";
import { useQuery } from "../../lib/url";

const columnsOf = (
  chosen: string | undefined,
  choose: (policy: string) => void,
): readonly Column<ComplianceEntry>[] => [
  {
    id: "title",
    label: t("configuration.policyPack"),
    value: (pack) => pack.title,
    cell: (pack) => (
      <>
        <button
          type="button"
          className="link"
          aria-pressed={pack.policy === chosen}
          onClick={() => choose(pack.policy)}
          dir="auto"
        >
          {pack.title}
        </button>{" "}
        {pack.is_default && <Badge tone="accent">{t("common.default")}</Badge>}
      </>
    ),
  },
  { id: "policy", label: t("common.name"), value: (pack) => pack.policy, cell: (pack) => <code>{pack.policy}</code> },
  { id: "mode", label: t("configuration.mode"), value: (pack) => pack.mode, cell: (pack) => <code>{pack.mode}</code> },
  {
    id: "jurisdiction",
    label: t("configuration.where"),
    value: (pack) => pack.jurisdiction,
    cell: (pack) => pack.jurisdiction,
  },
  {
    id: "date",
    label: t("configuration.asOf"),
    value: (pack) => pack.date,
    cell: (pack) => <span className="number">{pack.date}</span>,
  },
  {
    id: "source",
    label: t("configuration.source"),
    isWide: true,
    value: (pack) => pack.source,
    cell: (pack) => <span dir="auto">{pack.source}</span>,
  },
];

/** The laws that answers can be held against, and the rules of one of them. */
export function Policies() {
  const [query, setQuery] = useQuery();
  const packs = useAnswer("list_compliance_modes", {}, { isFixed: true });
  return (
    <Await answer={packs}>
      {(found) => {
        const chosen = found.find(({ policy }) => policy === query.policy) ?? found.find((pack) => pack.is_default);
        return (
          <div className="stack">
            <section>
              <p className="muted small">{t("configuration.policyPacksComeWithTheProduct")}</p>
              <Table
                caption={t("configuration.policyPacks")}
                file="policies"
                columns={columnsOf(chosen?.policy, (policy) => setQuery({ policy }))}
                rows={found}
                rowKey={(pack) => pack.policy}
              />
            </section>
            {chosen && <Pack name={chosen.policy} />}
          </div>
        );
      }}
    </Await>
  );
}

function Pack({ name }: { name: string }) {
  const answer = useAnswer("get_policy", { name }, { isFixed: true, keeps: true });
  return (
    <Await answer={answer}>
      {(pack) => (
        <section className="stack" aria-labelledby="pack-name">
          <div>
            <h2 id="pack-name" dir="auto">
              {pack.title}
            </h2>
            <p className="muted small">
              {rich("configuration.wordsInLicence", {
                languages: pack.languages.join(", "),
                licence: pack.licence,
                part: <span className="id">{`${pack.policy}@${pack.fingerprint}`}</span>,
              })}
            </p>
            {pack.force_to_zero && (
              <p className="small">
                {t("configuration.answeringAnExemptQuerySetsThe", { force_to_zero: labelOf(pack.force_to_zero) })}
              </p>
            )}
          </div>
          {pack.sections.map((section) => (
            <Rules key={section.section} pack={pack.policy} section={section} />
          ))}
        </section>
      )}
    </Await>
  );
}

function Rules({ pack, section }: { pack: string; section: PolicySection }) {
  const title = labelOf(section.section);
  const hasWeights = section.rules.some((rule) => rule.weight !== null);
  return (
    <Table
      caption={t("configuration.rulesOf", { title, pack })}
      file={`${pack}-${section.section}`}
      columns={
        hasWeights ? RULE_COLUMNS : RULE_COLUMNS.filter((column) => column.id !== "weight" && column.id !== "check")
      }
      rows={section.rules}
      rowKey={(rule) => rule.name}
      tools={
        <h3>
          {title}{" "}
          <span className="muted small">
            {t("configuration.lookedForInThe", { looked_for_in: word(section.looked_for_in) })}
          </span>
        </h3>
      }
    />
  );
}

const RULE_COLUMNS: readonly Column<PolicyRule>[] = [
  {
    id: "name",
    label: t("configuration.rule"),
    value: (rule) => rule.name,
    cell: (rule) => (
      <>
        <code>{rule.name}</code>
        {rule.title && (
          <span className="block small" dir="auto">
            {rule.title}
          </span>
        )}
      </>
    ),
  },
  { id: "title", label: t("configuration.title"), value: (rule) => rule.title },
  {
    id: "words",
    label: t("configuration.looksFor"),
    isWide: true,
    value: (rule) => rule.words.join("; "),
    cell: (rule) =>
      rule.weight === null ? (
        <span dir="auto">{rule.words.join(", ")}</span>
      ) : (
        <code className="pattern">{rule.words.join(", ")}</code>
      ),
  },
  {
    id: "weight",
    label: t("configuration.weight"),
    isNumber: true,
    value: (rule) => rule.weight,
    cell: (rule) => (rule.weight === null ? "–" : formatNumber(rule.weight, 2)),
  },
  {
    id: "check",
    label: t("configuration.check"),
    value: (rule) => rule.check,
    cell: (rule) => (rule.check ? <code>{rule.check}</code> : <span className="muted">{t("common.none")}</span>),
  },
  {
    id: "matches",
    label: t("configuration.finds"),
    value: (rule) => rule.matches.join("; "),
    cell: (rule) => <Texts texts={rule.matches} />,
  },
  {
    id: "rejects",
    label: t("configuration.leavesAlone"),
    value: (rule) => rule.rejects.join("; "),
    cell: (rule) => <Texts texts={rule.rejects} />,
  },
];

function Texts({ texts }: { texts: readonly string[] }) {
  return (
    <ul className="plain small">
      {texts.map((text) => (
        <li key={text} dir="auto">
          {text}
        </li>
      ))}
    </ul>
  );
}
