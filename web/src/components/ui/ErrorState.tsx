import type { ApiError } from "../../api/client";
import { t } from "../../lib/messages";
import { LoginForm } from "../LoginForm";
import { Button } from "./Button";

/** What went wrong and what can be done: log in, go back, or try again. */
export function ErrorState({ error, retry }: { error: ApiError; retry: () => void }) {
  if (error.needsKey) return <LoginForm onDone={retry} />;
  return (
    <div className="empty" role="alert">
      <h2>
        {error.status === 404
          ? t("shared.notFound")
          : error.status === 403
            ? t("shared.notAllowed")
            : t("shared.somethingWentWrong")}
      </h2>
      <p dir="auto">{error.message}</p>
      {error.id && error.status >= 500 && (
        <p className="muted small">{t("shared.requestIdInTheServerLog", { id: error.id })}</p>
      )}
      <Button onClick={retry}>{t("shared.tryAgain")}</Button>
    </div>
  );
}
