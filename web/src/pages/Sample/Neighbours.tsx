import { useAnswer } from "../../api/use-answer";
import { PAGE_SIZE } from "../../components/TestTable";
import { Icon } from "../../components/ui/Icon";
import { BACK, FORWARD, useKeys } from "../../lib/keys";
import { t } from "../../lib/messages";
import { aroundOf, backTo, inAddress, type SampleList } from "../../lib/sample-list";
import { go, href, pathTo } from "../../lib/url";

/** The way through the list that the sample was opened from. */
export function Neighbours({ list, metric }: { list: SampleList; metric?: string }) {
  const { data } = useAnswer("list_tests", aroundOf(list), { keeps: true });
  const at = (place: number) => {
    const test = data?.items[place - data.offset];
    return test ? href(pathTo("/tests/:id", { id: test.test_id }), { metric, ...inAddress(list, place) }) : undefined;
  };
  const [before, after] = [at(list.at - 1), at(list.at + 1)];
  useKeys({
    k: before ? () => go(before) : undefined,
    j: after ? () => go(after) : undefined,
    [BACK]: before ? () => go(before) : undefined,
    [FORWARD]: after ? () => go(after) : undefined,
  });
  return (
    <nav className="neighbours" aria-label={t("sample.backToTheList")}>
      <a className="small" href={href(...backTo(list, PAGE_SIZE))}>
        {list.from === "failures" ? t("common.failedTests") : t("sample.samplesOfTheRun")}
      </a>
      <span className="push neighbours-steps">
        <Step address={before} icon="left" label={t("common.previous")} />
        <span className="muted small number">
          {data ? t("sample.atOfTotal", { at: list.at + 1, total: data.total }) : ""}
        </span>
        <Step address={after} icon="right" label={t("common.next")} />
      </span>
    </nav>
  );
}

function Step({ address, icon, label }: { address: string | undefined; icon: "left" | "right"; label: string }) {
  return (
    <a
      className="button quiet"
      href={address}
      aria-disabled={address ? undefined : true}
      role={address ? undefined : "link"}
    >
      {icon === "left" && <Icon name={icon} />}
      {label}
      {icon === "right" && <Icon name={icon} />}
    </a>
  );
}
