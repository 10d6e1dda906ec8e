import { useState } from "react";
import { ApiError, ask } from "../../api/client";
import { forget, useAnswer } from "../../api/use-answer";
import { Button } from "../../components/ui/Button";
import { t } from "../../lib/messages";
import { go, href } from "../../lib/url";

/** Removes a run after a second click; only those who may see it. */
export function RemoveRun({ name }: { name: string }) {
  const me = useAnswer("get_me", {}, { isFixed: true });
  const [isSure, setSure] = useState(false);
  const [problem, setProblem] = useState("");
  if (me.data?.role !== "admin") return null;
  const remove = async () => {
    try {
      await ask("delete_run", { name });
      forget();
      go(href("/runs"));
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : String(error));
    }
  };
  if (!isSure)
    return (
      <Button
        icon="delete"
        aria-label={t("run.deleteThisRun")}
        title={t("run.deleteThisRun")}
        onClick={() => setSure(true)}
      >
        {t("common.delete")}
      </Button>
    );
  return (
    <span className="actions" role="group" aria-label={t("run.deleteThisRunPermanently")}>
      <Button kind="danger" autoFocus onClick={remove}>
        {t("run.deletePermanently")}
      </Button>
      <Button kind="quiet" onClick={() => setSure(false)}>
        {t("common.keep")}
      </Button>
      {problem && (
        <span role="alert" className="problem small">
          {problem}
        </span>
      )}
    </span>
  );
}
